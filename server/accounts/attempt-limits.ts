/** The limits of attempts: the bucket of every kind of attempt, and how many it allows. */
import { hashToken } from '#server/platform/tokens.ts';
import { addressBucket, perMinute, type Limit } from '#server/platform/attempts.ts';
import { copy } from '#shared/copy.ts';
import { MAIL, SECOND_FACTOR_ATTEMPTS, SIGN_IN_ATTEMPTS } from '#shared/limits.ts';
import { SLOT_REQUESTS } from '#shared/schemas/slot-requests.ts';
import { emailKey } from './email.ts';

/** Buckets by kind of attempt, as stored. The AUTH_ATTEMPTS_PER_MINUTE setting limits each, except where stated. */
export const attemptBuckets = {
  /** registrations, redeemed sign-in links and visits to Discord's sign-in from one address */
  address: addressBucket,
  /** changes of one's own password */
  password: (userId: string) => `password:${userId}`,
  /** sign-in links requested in Discord */
  signInLink: (userId: string) => `discord-login:${userId}`,
  /** busy calendars that are added, or read by hand */
  busyCalendar: (userId: string) => `busy-calendar:${userId}`,
  /** comments on missions that are written or edited */
  comment: (userId: string) => `comment:${userId}`,
  /** test notifications */
  testPush: (userId: string) => `push-test:${userId}`,
  /** the answer to one visit to Discord's sign-in, which counts once */
  discordVisit: (state: string) => `discord:${state}`,
  /** sign-ins with a password from one address, limited by `signInLimits` */
  signInsFrom: (address: string) => `sign-in:${addressBucket(address)}`,
} as const;

const { perAddressPerMinute, perAccount, accountMinutes } = SIGN_IN_ATTEMPTS;

/**
 * The limits of one sign-in with a password. A known browser has its own limit of the same size: strangers cannot exhaust
 * it, and a stolen cookie does not allow unlimited guesses. The keys are hashes, because people sometimes type their
 * password into the email field.
 * @param most per minute for one email from one address; 0 turns all limits off
 * @param device the name of the known browser; null for an unknown one
 */
export function signInLimits(
  most: number,
  { address, email, device }: { address: string; email: string; device: string | null },
): Limit[] {
  if (most === 0) return [];
  const key = hashToken(emailKey(email));
  return [
    perMinute(`sign-in:${key}:${addressBucket(address)}`, most),
    perMinute(attemptBuckets.signInsFrom(address), Math.max(most, perAddressPerMinute)),
    {
      bucket: device === null ? `sign-in:${key}` : `sign-in-device:${device}`,
      most: perAccount,
      minutes: accountMinutes,
      sentence: device === null ? copy.tooManyForAccount : copy.tooManyOnDevice,
    },
  ];
}

const perAccountLimit = { most: SECOND_FACTOR_ATTEMPTS.perAccount, minutes: SECOND_FACTOR_ATTEMPTS.minutes };

/**
 * The limits of wrong codes and passkeys at the second step of a sign-in. Everybody with the password gets so far, so a known
 * browser has a limit of its own, as for passwords: nobody else can use up its owner's.
 * @param most per minute and address; 0 turns all limits off
 * @param device the name of the known browser; null for an unknown one
 */
export function secondStepLimits(
  most: number,
  { userId, address, device }: { userId: string; address: string; device: string | null },
): Limit[] {
  if (most === 0) return [];
  return [
    perMinute(`second-factor:${addressBucket(address)}`, Math.max(most, perAddressPerMinute)),
    {
      ...perAccountLimit,
      bucket: device === null ? `second-factor:${userId}` : `second-factor-device:${device}`,
      sentence: device === null ? copy.tooManyForAccount : copy.tooManyOnDevice,
    },
  ];
}

/** What the owner of an account does to its second factor: wrong codes and passwords count apart for each. */
export type SecondFactorChange = 'set-up' | 'removal' | 'recovery-codes';

/** The limit of wrong codes or passwords in one kind of change to the second factor. @param most 0 turns it off */
export function secondFactorChangeLimits(most: number, change: SecondFactorChange, userId: string): Limit[] {
  if (most === 0) return [];
  return [{ ...perAccountLimit, bucket: `second-factor-${change}:${userId}`, sentence: copy.tooManyCodes }];
}

/**
 * The limits of requests for an email with a link to choose a new password. They are the same for known and unknown emails.
 * @param most the setting; 0 turns all limits off
 */
export function passwordRequestLimits(most: number, { address, email }: { address: string; email: string }): Limit[] {
  if (most === 0) return [];
  const window = { minutes: MAIL.requestMinutes, sentence: copy.tooManyAttempts };
  return [
    { bucket: `password-request:${addressBucket(address)}`, most: MAIL.requestsPerClient, ...window },
    { bucket: `password-request:${hashToken(emailKey(email))}`, most: MAIL.requestsPerAddress, ...window },
  ];
}

/** The limit of requests for a slot from one address. @param most the setting; 0 turns the limit off */
export function slotRequestLimits(most: number, address: string): Limit[] {
  if (most === 0) return [];
  const { perClient, minutes } = SLOT_REQUESTS;
  const bucket = `slot-request:${addressBucket(address)}`;
  return [{ bucket, most: perClient, minutes, sentence: copy.tooManyAttempts }];
}

/** The limit of email that an account asks for: tests and verifications. */
export function mailLimits(most: number, kind: string, userId: string): Limit[] {
  if (most === 0) return [];
  const bucket = `mail:${kind}:${userId}`;
  return [{ bucket, most: MAIL.perAccount, minutes: MAIL.requestMinutes, sentence: copy.tooManyAttempts }];
}
