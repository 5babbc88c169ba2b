import { expect, test } from 'vitest';
import { DISCORD_OUTCOMES, readDiscordOutcome } from '#shared/discord-sign-in.ts';

test('the address names only known outcomes', () => {
  expect(readDiscordOutcome('denied')).toBe('denied');
  for (const code of [null, '', 'Denied', 'toString', '__proto__', '<b>']) expect(readDiscordOutcome(code)).toBeNull();
});

test('every outcome has its own sentence, from which the server finds the code', () => {
  const sentences = Object.values(DISCORD_OUTCOMES);
  expect(new Set(sentences).size).toBe(sentences.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
});
