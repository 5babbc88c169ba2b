/** Passkeys and security keys (WebAuthn) as a second factor: adding, naming and removing them, and checking their answers. */
import { isIP } from 'node:net';
import type { z } from 'zod';
import { newId } from '#server/schema/base.ts';
import { db } from '#server/schema/database.ts';
import { violatedConstraint } from '#server/schema/failures.ts';
import type { Em } from '#server/schema/orm.ts';
import { Passkey } from '#server/schema/second-factor.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { readCommunity } from '#server/accounts/community.ts';
import { shownEmail } from '#server/accounts/email.ts';
import { holdSession } from '#server/accounts/sessions.ts';
import { lockUser } from '#server/accounts/users.ts';
import { isSecureOrigin, type Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { hashToken } from '#server/platform/tokens.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { emit } from '#server/signals/emit.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { SECOND_STEP_MINUTES } from '#shared/limits.ts';
import type {
  addPasskeyInput,
  NewPasskeyOptionsDto,
  PasskeyAnswer,
  PasskeyQuestionDto,
  renamePasskeyInput,
} from '#shared/schemas/second-factor.ts';
import { proveOwner, type OwnerRequest } from './owner-proof.ts';
import { settleAdded, settleRemoved } from './state.ts';

/** EdDSA, ES256 and RS256 (COSE), which all keys have one of; the library's default also has one that Node calls experimental. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded by the first passkey: it takes 30 MB, which a server without passkeys does not need. */
const loadLibrary = () => import('@simplewebauthn/server');

const refused = () => new AppError('PASSKEY_REFUSED');

/** The site as passkeys know it. */
const siteOf = ({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>) => ({
  rpID: new URL(PUBLIC_URL).hostname,
  origin: PUBLIC_URL,
});

/** Browsers have passkeys for names, not for numeric addresses, and only in secure contexts. */
export function canUsePasskeys(env: Pick<Env, 'PUBLIC_URL'>): boolean {
  const host = siteOf(env).rpID.replaceAll(/[[\]]/g, '');
  return isIP(host) === 0 && isSecureOrigin(env.PUBLIC_URL);
}

/** Store the question, in place of an earlier one. @param holder hash of the session or waiting sign-in that asks it */
async function storeChallenge(em: Em, holder: string, userId: string, challenge: string, now: Date): Promise<void> {
  const fields = { user_id: userId, challenge, expires_at: new Date(now.getTime() + SECOND_STEP_MINUTES * MINUTE_MS) };
  await db(em)
    .insertInto('passkey_challenge')
    .values({ holder, ...fields })
    .onConflict((conflict) => conflict.column('holder').doUpdateSet(fields))
    .execute();
}

/** Take the question, so that nothing else can answer it. 400 when none is open. */
async function takeChallenge(em: Em, holder: string, now: Date): Promise<string> {
  const taken = await db(em)
    .deleteFrom('passkey_challenge')
    .where('holder', '=', holder)
    .returning(({ eb }) => ['challenge', eb('expires_at', '>', now).as('isOpen')])
    .executeTakeFirst();
  if (!taken?.isOpen) throw refused();
  return taken.challenge;
}

const keysOf = (em: Em, userId: string) =>
  em.find(Passkey, { user: userId }, { orderBy: { createdAt: 'asc', id: 'asc' } });

/**
 * Begin to add a passkey.
 * @returns the browser's options, with a challenge that this session can answer once; 400 or 403 as `proveOwner`
 */
export async function beginPasskey(
  request: OwnerRequest,
  currentPassword: string | undefined,
): Promise<NewPasskeyOptionsDto> {
  const { em, app, viewer, sessionToken, now } = request;
  if (!canUsePasskeys(app.env)) throw refused();
  await proveOwner(request, 'set-up', currentPassword);
  const { generateRegistrationOptions } = await loadLibrary();
  const options = await generateRegistrationOptions({
    rpName: (await readCommunity(em)).name ?? 'Marshal',
    rpID: siteOf(app.env).rpID,
    userID: new Uint8Array(Buffer.from(viewer.id)),
    userName: shownEmail(viewer.email) || (viewer.displayName ?? 'Pilot'),
    userDisplayName: viewer.displayName ?? '',
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: (await keysOf(em, viewer.id)).map(({ credentialId, transports }) => ({
      id: credentialId,
      transports,
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  await storeChallenge(em, hashToken(sessionToken ?? ''), viewer.id, options.challenge, now);
  return {
    challenge: options.challenge,
    rp: { id: siteOf(app.env).rpID, name: options.rp.name },
    user: options.user,
    algorithms: options.pubKeyCredParams.map(({ alg }) => alg),
    exclude: (options.excludeCredentials ?? []).map(({ id, transports = [] }) => ({ id, transports })),
  };
}

async function verifyNew(env: Env, answer: z.infer<typeof addPasskeyInput>['passkey'], challenge: string) {
  const { rpID, origin } = siteOf(env);
  const { verifyRegistrationResponse } = await loadLibrary();
  const checked = await verifyRegistrationResponse({
    response: { ...answer, type: 'public-key', clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    supportedAlgorithmIDs: ALGORITHMS,
    // the password is the other factor
    requireUserVerification: false,
  }).catch(() => null);
  if (!checked?.verified) throw refused();
  return checked.registrationInfo;
}

/**
 * Add a passkey.
 * @returns recovery codes, if the account had none; 400 for an answer that does not fit, 409 beyond 10 passkeys
 */
export async function addPasskey(
  { em, app, viewer, sessionToken, now }: OwnerRequest,
  { name, passkey }: z.infer<typeof addPasskeyInput>,
): Promise<string[] | null> {
  const challenge = await takeChallenge(em, hashToken(sessionToken ?? ''), now);
  const { credential, credentialDeviceType, credentialBackedUp } = await verifyNew(app.env, passkey, challenge);
  try {
    return await transact(em, async (tx) => {
      await holdSession(tx, viewer.id, sessionToken ?? '');
      await requireRoom('passkeys', db(tx).selectFrom('passkey').where('user_id', '=', viewer.id));
      tx.create(Passkey, {
        id: newId(),
        user: tx.getReference(User, viewer.id),
        name,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: passkey.response.transports,
        isSyncable: credentialDeviceType === 'multiDevice',
        isBackedUp: credentialBackedUp,
        createdAt: now,
      });
      emit(tx, { type: 'passkey.added', userId: viewer.id, name });
      return settleAdded(tx, viewer, now);
    });
  } catch (error) {
    if (violatedConstraint(error) === 'passkey_credential_id_unique') throw refused();
    throw error;
  }
}

/** 404 for a passkey that the viewer does not have. */
export async function renamePasskey(
  em: Em,
  viewer: Viewer,
  { passkeyId, name }: z.infer<typeof renamePasskeyInput>,
): Promise<void> {
  await transact(em, async (tx) => {
    await lockUser(tx, viewer.id);
    const passkey = await tx.findOne(Passkey, { id: passkeyId, user: viewer.id });
    if (!passkey) throw new AppError('PASSKEY_NOT_FOUND');
    if (passkey.name === name) return;
    emit(tx, { type: 'passkey.renamed', userId: viewer.id, from: passkey.name, to: name });
    passkey.name = name;
  });
}

/** Remove a passkey; without another factor the second factor is then off. 404 for one that the viewer does not have. */
export async function removePasskey(
  request: OwnerRequest,
  { passkeyId, currentPassword }: { passkeyId: string; currentPassword?: string | undefined },
): Promise<void> {
  const { em, viewer, sessionToken } = request;
  await proveOwner(request, 'removal', currentPassword);
  await transact(em, async (tx) => {
    await holdSession(tx, viewer.id, sessionToken ?? '');
    const passkey = await tx.findOne(Passkey, { id: passkeyId, user: viewer.id });
    if (!passkey) throw new AppError('PASSKEY_NOT_FOUND');
    tx.remove(passkey);
    emit(tx, { type: 'passkey.removed', userId: viewer.id, name: passkey.name });
    await settleRemoved(tx, viewer);
  });
}

/**
 * Ask for one of the account's passkeys.
 * @param holder hash of the sign-in that waits
 * @returns the browser's options, with a challenge that this sign-in can answer once
 */
export async function askForPasskey(
  em: Em,
  env: Env,
  holder: string,
  userId: string,
  now: Date,
): Promise<PasskeyQuestionDto> {
  const keys = await keysOf(em, userId);
  if (keys.length === 0 || !canUsePasskeys(env)) throw refused();
  const { generateAuthenticationOptions } = await loadLibrary();
  const { challenge } = await generateAuthenticationOptions({ rpID: siteOf(env).rpID });
  await storeChallenge(em, holder, userId, challenge, now);
  const allow = keys.map(({ credentialId: id, transports }) => ({ id, transports }));
  return { challenge, rpId: siteOf(env).rpID, allow };
}

/** A passkey's right answer, to be taken in the transaction of the sign-in. */
export interface CheckedPasskey {
  id: string;
  counterBefore: number;
  counter: number;
  isBackedUp: boolean;
}

/**
 * Check an answer; the challenge is gone afterwards, whether or not it was right.
 * @returns null for a wrong answer: of another account's key, for another site, or from a copy of a key that counts its uses
 */
export async function checkPasskey(
  em: Em,
  env: Env,
  { holder, userId }: { holder: string; userId: string },
  answer: PasskeyAnswer,
  now: Date,
): Promise<CheckedPasskey | null> {
  const expectedChallenge = await takeChallenge(em, holder, now);
  const key = await em.findOne(Passkey, { credentialId: answer.id, user: userId });
  if (!key) return null;
  const { rpID, origin } = siteOf(env);
  const { verifyAuthenticationResponse } = await loadLibrary();
  const checked = await verifyAuthenticationResponse({
    response: { ...answer, type: 'public-key', clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: {
      id: key.credentialId,
      publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
      counter: key.counter,
    },
    requireUserVerification: false,
  }).catch(() => null);
  if (!checked?.verified) return null;
  const { newCounter: counter, credentialBackedUp: isBackedUp } = checked.authenticationInfo;
  return { id: key.id, counterBefore: key.counter, counter, isBackedUp };
}

/** Note a use, in the caller's transaction. @returns false if the key was used or removed since the check */
export async function takePasskey(tx: Em, checked: CheckedPasskey, now: Date): Promise<boolean> {
  const { id, counterBefore, counter, isBackedUp } = checked;
  const used = await tx.nativeUpdate(Passkey, { id, counter: counterBefore }, { counter, isBackedUp, lastUsedAt: now });
  return used === 1;
}
