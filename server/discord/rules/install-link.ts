/** The install link: Discord's page on which an owner adds the bot to their server. */
import { BOT_PERMISSION_BITS } from '#shared/vocabulary.ts';

const AUTHORIZE = 'https://discord.com/oauth2/authorize';
const SCOPES = ['bot', 'applications.commands'].join('%20');

/** @param clientId number of the Discord application */
export function installLink(clientId: string): string {
  return `${AUTHORIZE}?client_id=${clientId}&permissions=${BOT_PERMISSION_BITS}&scope=${SCOPES}`;
}
