/** Registration messages: the announcement and the personal link. */
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { discordTime, escapeMarkdown, nameText } from './markdown.ts';
import { actionButton, buttonRow, linkButton } from './parts.ts';

/** The public announcement. Everybody can use its button, which creates a personal link for the person who presses it. */
export function registrationAnnouncement(guildName: string, rowId: string): DiscordMessage {
  return {
    embeds: [
      {
        title: 'Fly with us',
        description: `**${escapeMarkdown(guildName)}** plans its missions with Marshal. Register once and enter when and what you can fly. You're then offered seats here and on the site, and answer with one button.`,
      },
    ],
    components: [buttonRow(actionButton('Register', 'register', rowId, 'primary'))],
  };
}

/** The only message that a server gets after it has installed the bot without having asked for it. */
export function welcomeMessage(rowId: string): DiscordMessage {
  return {
    content: [
      "Hello, I'm Marshal. I plan your missions and find a pilot for every seat.",
      '**/setup channel** posts the registration in a channel, **/setup missions** shows each mission with who flies. Both need Manage Server.',
      'Pilots register with the button or **/register**. **/help** lists what I can do.',
    ].join('\n'),
    components: [buttonRow(actionButton('Register', 'register', rowId, 'primary'))],
  };
}

/**
 * The personal link, shown only to the person who asked for it.
 * @param expiresMs when the link expires
 * @param registeredAs call sign of a person who is registered already; null for others
 */
export function registrationLinkMessage(url: string, expiresMs: number, registeredAs: string | null): DiscordMessage {
  const who =
    registeredAs === null
      ? ''
      : `You are registered as ${nameText(registeredAs)}, and can change your call sign, time zone and news. `;
  return {
    content: `${who}This link is for you only and expires ${discordTime(expiresMs, 'R')}.`,
    components: [buttonRow(linkButton('Open registration', url))],
  };
}
