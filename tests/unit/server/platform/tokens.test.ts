/** The form of personal access tokens: found by secret scanners, and refused when a character is wrong. */
import { expect, test } from 'vitest';
import { isAccessToken, randomAccessToken } from '#server/platform/tokens.ts';

/** CRC-32 bit by bit, as ISO-HDLC defines it. */
function crcOf(text: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}

test('a token is a prefix, a secret and the CRC-32 of the secret', () => {
  expect(crcOf('123456789'), 'the check value of the algorithm').toBe('cbf43926');
  const tokens = Array.from({ length: 500 }, randomAccessToken);
  expect(new Set(tokens).size).toBe(500);
  for (const token of tokens) {
    const [, secret = '', checksum] = /^mrsh_([\w-]{43})([0-9a-f]{8})$/.exec(token) ?? [];
    expect(checksum).toBe(crcOf(secret));
    expect(isAccessToken(token)).toBe(true);
  }
});

test('a token with one other character is none', () => {
  const token = randomAccessToken();
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'a' ? 'b' : 'a';
    expect(isAccessToken(`${token.slice(0, at)}${other}${token.slice(at + 1)}`), `character ${at}`).toBe(false);
  }
});

test.each(['', 'mrsh_', 'x'.repeat(56), `mrsh_${'a'.repeat(43)}`])('%j is none', (text) => {
  expect(isAccessToken(text)).toBe(false);
});
