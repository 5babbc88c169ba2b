import { expect, test } from 'vitest';
import { DISCORD_OUTCOMES, readDiscordOutcome } from '#shared/discord-sign-in.ts';

test('an address can name an outcome and nothing else', () => {
  expect(readDiscordOutcome('denied')).toBe('denied');
  for (const code of [null, '', 'Denied', 'toString', '__proto__', '<b>']) expect(readDiscordOutcome(code)).toBeNull();
});

test('every outcome is a sentence of its own: the server finds the code by it', () => {
  const sentences = Object.values(DISCORD_OUTCOMES);
  expect(new Set(sentences).size).toBe(sentences.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
});
