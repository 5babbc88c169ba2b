/** Signed values: sent to a browser and read back, with an HMAC that proves that this server made them. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Signer {
  /** @returns `<payload>.<signature>` */
  seal: (payload: string) => string;
  /** @returns the payload; null for anything that `seal` did not make */
  open: (sealed: string) => string | null;
}

/** @param purpose a value that was sealed for one purpose is not accepted for another */
export function createSigner(secret: string, purpose: string): Signer {
  const sign = (payload: string): Buffer => createHmac('sha256', secret).update(`${purpose}:${payload}`).digest();
  return {
    seal: (payload) => `${payload}.${sign(payload).toString('base64url')}`,
    open(sealed) {
      const end = sealed.lastIndexOf('.');
      if (end < 0) return null;
      const payload = sealed.slice(0, end);
      const given = Buffer.from(sealed.slice(end + 1), 'base64url');
      const expected = sign(payload);
      return given.length === expected.length && timingSafeEqual(given, expected) ? payload : null;
    },
  };
}
