/** The second factor of accounts: authenticator apps, passkeys, recovery codes, remembered devices, and sign-ins that wait for it. */
import { defineEntity, p } from '@mikro-orm/core';
import { SIGN_IN_WAYS, type SignInWay } from '#shared/vocabulary.ts';
import { createdAt, id, oneOf } from './base.ts';
import { User } from './user.ts';

/** The authenticator app of an account; it counts once a code of it has confirmed it. */
export const AuthenticatorSchema = defineEntity({
  name: 'Authenticator',
  properties: {
    user: () => p.oneToOne(User).owner().primary().deleteRule('cascade'),
    /** the key of the codes, encrypted: reading the table is not enough to compute one */
    sealedKey: p.text(),
    confirmedAt: p.datetime().nullable(),
    /** the time step of the last accepted code: neither it nor an earlier one is accepted again */
    lastStep: p.integer().default(0),
    createdAt: createdAt(),
  },
});
export class Authenticator extends AuthenticatorSchema.class {}
AuthenticatorSchema.setClass(Authenticator);

/** A passkey or security key (WebAuthn). */
export const PasskeySchema = defineEntity({
  name: 'Passkey',
  properties: {
    id: id(),
    user: () => p.manyToOne(User).deleteRule('cascade').index('passkey_user_idx'),
    name: p.text(),
    /** as the key names itself, base64url */
    credentialId: p.text().unique(),
    /** COSE, base64url */
    publicKey: p.text(),
    /** uses that the key has counted; 0 for one that does not count */
    counter: p.bigint('number'),
    /** how browsers reach it */
    transports: p.array().columnType('text[]').$type<string[]>(),
    /** it may exist on several devices */
    isSyncable: p.boolean(),
    isBackedUp: p.boolean(),
    createdAt: createdAt(),
    lastUsedAt: p.datetime().nullable(),
  },
  checks: [{ name: 'passkey_counter_range', expression: '(counter >= 0)' }],
});
export class Passkey extends PasskeySchema.class {}
PasskeySchema.setClass(Passkey);

/** An unused recovery code; using it deletes it. */
export const RecoveryCodeSchema = defineEntity({
  name: 'RecoveryCode',
  properties: {
    /** SHA-256 of account and code, hex */
    codeHash: p.text().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').index('recovery_code_user_idx'),
    createdAt: createdAt(),
  },
});
export class RecoveryCode extends RecoveryCodeSchema.class {}
RecoveryCodeSchema.setClass(RecoveryCode);

/** A browser that needs no second factor for an account. */
export const RememberedDeviceSchema = defineEntity({
  name: 'RememberedDevice',
  properties: {
    id: id(),
    user: () => p.manyToOne(User).deleteRule('cascade').index('remembered_device_user_idx'),
    /** SHA-256 of the token in its cookie, hex */
    tokenHash: p.text().unique(),
    userAgent: p.text().nullable(),
    createdAt: createdAt(),
    expiresAt: p.datetime(),
  },
});
export class RememberedDevice extends RememberedDeviceSchema.class {}
RememberedDeviceSchema.setClass(RememberedDevice);

/** A sign-in whose first step has succeeded. It gives no access; the second factor turns it into a session. */
export const PendingSignInSchema = defineEntity({
  name: 'PendingSignIn',
  properties: {
    /** SHA-256 of the token in the browser's cookie, hex */
    tokenHash: p.text().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').index('pending_sign_in_user_idx'),
    way: p.text().$type<SignInWay>(),
    /** SHA-256 of the password hash at that time: after a change the sign-in is over */
    passwordMark: p.text(),
    createdAt: createdAt(),
    expiresAt: p.datetime(),
  },
  checks: [{ name: 'pending_sign_in_way_known', expression: oneOf('way', SIGN_IN_WAYS) }],
});
export class PendingSignIn extends PendingSignInSchema.class {}
PendingSignInSchema.setClass(PendingSignIn);

/** The open question to a passkey. Answering deletes it, whether or not the answer is right. */
export const PasskeyChallengeSchema = defineEntity({
  name: 'PasskeyChallenge',
  properties: {
    /** the hash of the session that adds a passkey, or of the sign-in that waits for one */
    holder: p.text().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').index('passkey_challenge_user_idx'),
    challenge: p.text(),
    expiresAt: p.datetime(),
  },
});
export class PasskeyChallenge extends PasskeyChallengeSchema.class {}
PasskeyChallengeSchema.setClass(PasskeyChallenge);
