/** Codes of authenticator apps against the vectors of RFC 6238, and against the tests' own implementation. */
import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { findStep } from '#server/accounts/second-factor/authenticator.ts';
import { codeOf } from '#tests/harness/second-factor.ts';

/** Appendix B of RFC 6238: seconds, and the code of eight digits for SHA-1 with the key `12345678901234567890`. */
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;
const KEY = Secret.fromLatin1('12345678901234567890').base32;
const at = (seconds: number) => new Date(seconds * 1000);

describe('the codes of RFC 6238', () => {
  test.each(VECTORS)('at %d s', (seconds, code) => {
    const six = code.slice(2);
    const step = Math.floor(seconds / 30);
    expect(findStep(KEY, six, at(seconds))).toBe(step);
    expect(codeOf(KEY, 0, seconds * 1000)).toBe(six);
    const secret = Secret.fromBase32(KEY);
    expect(TOTP.generate({ secret, digits: 8, timestamp: seconds * 1000 })).toBe(code);
  });

  test('count one step before and after, and no more', () => {
    for (const [seconds, code] of VECTORS) {
      const [six, step] = [code.slice(2), Math.floor(seconds / 30)];
      expect(findStep(KEY, six, at(seconds + 30))).toBe(step);
      expect(findStep(KEY, six, at(seconds - 30))).toBe(step);
      expect(findStep(KEY, six, at(seconds + 60))).toBeNull();
      expect(findStep(KEY, six, at(seconds - 60))).toBeNull();
    }
  });
});

test('the two implementations agree on any key and time', () => {
  const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(bytes, fc.integer({ min: 60, max: 20_000_000_000 }), (key, seconds) => {
      const { base32 } = new Secret({ buffer: key.slice().buffer });
      expect(findStep(base32, codeOf(base32, 0, seconds * 1000), at(seconds))).not.toBeNull();
    }),
  );
});
