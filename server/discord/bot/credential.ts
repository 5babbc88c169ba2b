/** The credential with which the bot authenticates at the server. */
import { timingSafeEqual } from 'node:crypto';
import type { Em } from '#server/schema/orm.ts';
import { readSecret } from '#server/platform/secrets.ts';
import { hashToken, randomToken } from '#server/platform/tokens.ts';

/** The installation's bot token, generated at the first startup; every replica passes it to the bot that it starts. */
export async function readBotToken(em: Em): Promise<string> {
  const { token } = await readSecret(em, 'bot', () => ({ token: randomToken() }));
  if (token === undefined) throw new Error('The credential of the bot is damaged');
  return token;
}

/** True if a caller's token is the bot's, compared in constant time. */
export function isBotToken(expected: string, given: string | null): boolean {
  return given !== null && timingSafeEqual(Buffer.from(hashToken(expected)), Buffer.from(hashToken(given)));
}
