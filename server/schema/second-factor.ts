/** The second factor of accounts: authenticator apps, passkeys, recovery codes, remembered devices, and sign-ins that wait for it. */
import { defineEntity } from '@mikro-orm/core';
import { SIGN_IN_WAYS, type SignInWay } from '#shared/vocabulary.ts';
import { createdAt, id, oneOf } from './base.ts';
import { freeText, p, text, texts } from './columns.ts';
import { none, own, owner, personal, shown } from './personal.ts';
import { User } from './user.ts';

/** The authenticator app of an account; it counts once a code of it has confirmed it. */
export const AuthenticatorSchema = defineEntity({
  name: 'Authenticator',
  properties: {
    user: () => personal(p.oneToOne(User).owner().primary().deleteRule('cascade'), owner('account')),
    /** the key of the codes, encrypted: reading the table is not enough to compute one */
    sealedKey: text(none),
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
    user: () => personal(p.manyToOne(User).deleteRule('cascade').index('passkey_user_idx'), owner('account')),
    name: freeText(60, own('name')),
    /** as the key names itself, base64url */
    credentialId: text(own(null)).unique(),
    /** COSE, base64url */
    publicKey: text(own(null)),
    /** uses that the key has counted; 0 for one that does not count */
    counter: p.bigint('number'),
    /** how browsers reach it */
    transports: texts(own(null)).$type<string[]>(),
    /** it may exist on several devices */
    isSyncable: p.boolean(),
    isBackedUp: personal(p.boolean(), shown('isBackedUp')),
    createdAt: personal(createdAt(), shown('createdAt')),
    lastUsedAt: personal(p.datetime().nullable(), shown('lastUsedAt')),
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
    codeHash: text(none).primary(),
    user: () => personal(p.manyToOne(User).deleteRule('cascade').index('recovery_code_user_idx'), owner('account')),
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
    user: () => personal(p.manyToOne(User).deleteRule('cascade').index('remembered_device_user_idx'), owner('account')),
    /** SHA-256 of the token in its cookie, hex */
    tokenHash: text(none).unique(),
    userAgent: freeText(500, own('browser')).nullable(),
    createdAt: personal(createdAt(), shown('createdAt')),
    expiresAt: personal(p.datetime(), shown('expiresAt')),
  },
});
export class RememberedDevice extends RememberedDeviceSchema.class {}
RememberedDeviceSchema.setClass(RememberedDevice);

/** A sign-in whose first step has succeeded. It gives no access; the second factor turns it into a session. */
export const PendingSignInSchema = defineEntity({
  name: 'PendingSignIn',
  properties: {
    /** SHA-256 of the token in the browser's cookie, hex */
    tokenHash: text(none).primary(),
    user: () => personal(p.manyToOne(User).deleteRule('cascade').index('pending_sign_in_user_idx'), owner('account')),
    way: text(none).$type<SignInWay>(),
    /** SHA-256 of the password hash at that time: after a change the sign-in is over */
    passwordMark: text(none),
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
    holder: text(none).primary(),
    user: () => personal(p.manyToOne(User).deleteRule('cascade').index('passkey_challenge_user_idx'), owner('account')),
    challenge: text(none),
    expiresAt: p.datetime(),
  },
});
export class PasskeyChallenge extends PasskeyChallengeSchema.class {}
PasskeyChallengeSchema.setClass(PasskeyChallenge);
