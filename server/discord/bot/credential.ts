/** The credential by which the server knows its own bot. */
import { timingSafeEqual } from 'node:crypto';
import type { Em } from '#server/schema/orm.ts';
import { readSecret } from '#server/platform/secrets.ts';
import { hashToken, randomToken } from '#server/platform/tokens.ts';

/** One for the installation, made at its first start; every replica hands it to the bot it starts. */
export async function readBotToken(em: Em): Promise<string> {
  const { token } = await readSecret(em, 'bot', () => ({ token: randomToken() }));
  if (token === undefined) throw new Error('The credential of the bot is damaged');
  return token;
}

/** Whether a caller's token is the bot's; the time it takes says nothing about how much of it is right. */
export function isBotToken(expected: string, given: string | null): boolean {
  return given !== null && timingSafeEqual(Buffer.from(hashToken(expected)), Buffer.from(hashToken(given)));
}
