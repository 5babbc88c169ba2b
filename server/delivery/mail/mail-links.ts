/** Signed links of email: to get no more of one kind, and to verify an address. Nothing of them is stored. */
import { createSigner } from '#server/platform/signed.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { emailKey } from '#server/accounts/email.ts';
import type { MailChoice } from '#shared/vocabulary.ts';

/** A kind of email and who gets it: an account, or an address by the hash of its key. */
export interface Subscription {
  choice: MailChoice;
  subject: string;
}

/** An address to verify, until the link expires. */
export interface Verification {
  userId: string;
  addressHash: string;
  expiresMs: number;
}

export interface MailLinks {
  unsubscribeUrl: (subscription: Subscription) => string;
  /** @returns null for a token that this installation did not make */
  openUnsubscribe: (token: string) => Subscription | null;
  verifyUrl: (verification: Verification) => string;
  openVerify: (token: string) => Verification | null;
}

/** What is kept of an address in links and lists. */
export const addressHash = (email: string): string => hashToken(emailKey(email));

/** @param key the same on every replica */
export function createMailLinks(key: string, publicUrl: string): MailLinks {
  const [unsubscribing, verifying] = [createSigner(key, 'unsubscribe'), createSigner(key, 'verify')];
  const read = (payload: string | null): [string, string, string] | null => {
    const [first = '', second = '', third = ''] = payload?.split(':') ?? [];
    return payload === null ? null : [first, second, third];
  };
  return {
    unsubscribeUrl: ({ choice, subject }) =>
      `${publicUrl}/email/unsubscribe/${unsubscribing.seal(`${choice}:${subject}`)}`,
    openUnsubscribe(token) {
      const parts = read(unsubscribing.open(token));
      // sealed by this installation, so that the choice is one of the list
      return parts && { choice: parts[0] as MailChoice, subject: parts[1] };
    },
    verifyUrl: ({ userId, addressHash: hash, expiresMs }) =>
      `${publicUrl}/email/verify/${verifying.seal(`${userId}:${hash}:${expiresMs}`)}`,
    openVerify(token) {
      const parts = read(verifying.open(token));
      return parts && { userId: parts[0], addressHash: parts[1], expiresMs: Number(parts[2]) };
    },
  };
}
