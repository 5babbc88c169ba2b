/** Schemas of the second factor: authenticator app, passkeys, recovery codes, remembered devices, and the second step of a sign-in. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { AUTHENTICATOR, PASSKEY_NAME_MAX_LENGTH } from '#shared/limits.ts';
import { AUDIT_ACTIONS, SECOND_FACTORS } from '#shared/vocabulary.ts';
import { currentPasswordInput } from './auth.ts';
import { flagInput, idInput, isoInstant, rowId, safeText } from './common.ts';

const base64url = (max: number, description: string) =>
  z
    .string({ error: copy.passkeyUnreadable })
    .regex(/^[\w-]+$/, copy.passkeyUnreadable)
    .max(max, copy.passkeyUnreadable)
    .meta({ description, examples: ['dGhlIGtleSBrbm93cyBpdHNlbGY'] });

const credentialId = base64url(1400, 'Id of the passkey, as it names itself.');
const clientDataJSON = base64url(8000, 'What the browser signed, base64url.');
const TRANSPORT = /^[a-z-]{1,20}$/;

/** The answer of a passkey to a question, as `navigator.credentials.get` gives it. */
export const passkeyAnswer = z
  .object({
    id: credentialId,
    rawId: credentialId,
    response: z
      .object({
        clientDataJSON,
        authenticatorData: base64url(8000, 'Site, flags and counter, base64url.'),
        signature: base64url(8000, 'Signature, base64url.'),
      })
      .meta({ description: 'The signed answer.' }),
  })
  .meta({ id: 'PasskeyAnswer', description: 'The answer of a passkey, as the browser gives it (WebAuthn).' });
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

const newPasskeyAnswer = z
  .object({
    id: credentialId,
    rawId: credentialId,
    response: z
      .object({
        clientDataJSON,
        attestationObject: base64url(32_000, 'The new public key, base64url.'),
        transports: z
          .array(z.string({ error: copy.passkeyUnreadable }).regex(TRANSPORT, copy.passkeyUnreadable), {
            error: copy.passkeyUnreadable,
          })
          .max(10, copy.passkeyUnreadable)
          .default([])
          .meta({ description: 'How the browser reaches the passkey.', examples: [['internal']] }),
      })
      .meta({ description: 'The new passkey.' }),
  })
  .meta({ id: 'NewPasskeyAnswer', description: 'A new passkey, as the browser gives it (WebAuthn).' });

const listedKey = z
  .object({
    id: credentialId,
    transports: z.array(z.string()).meta({ description: 'How the browser reaches it.', examples: [['internal']] }),
  })
  .meta({ id: 'PasskeyReference', description: 'A passkey of the account, for the browser.' });

const challenge = z
  .string()
  .meta({ description: 'Random, base64url; it can be answered once.', examples: ['cmFuZG9t'] });

export const passkeyQuestion = z
  .object({
    challenge,
    rpId: z.string().meta({ description: 'Name of this site.', examples: ['marshal.example.org'] }),
    allow: z.array(listedKey).meta({ description: 'The passkeys that may answer.' }),
  })
  .meta({ id: 'PasskeyQuestion', description: 'A question that only a passkey of the account can answer.' });
export type PasskeyQuestionDto = z.infer<typeof passkeyQuestion>;

export const newPasskeyOptions = z
  .object({
    challenge,
    rp: z
      .object({
        id: z.string().meta({ description: 'Host name.', examples: ['marshal.example.org'] }),
        name: z.string().meta({ description: 'Name that people read.', examples: ['Lantern Wing'] }),
      })
      .meta({ description: 'This site.' }),
    user: z
      .object({
        id: z.string().meta({ description: 'Id of the account, base64url.', examples: ['MDE5MmMwZGU'] }),
        name: z.string().meta({ description: 'Email or call sign.', examples: ['viper@example.org'] }),
        displayName: z.string().meta({ description: 'Call sign.', examples: ['Viper'] }),
      })
      .meta({ description: 'The account.' }),
    algorithms: z
      .array(z.int())
      .meta({ description: 'Algorithms of keys (COSE), the best first.', examples: [[-8, -7]] }),
    exclude: z.array(listedKey).meta({ description: 'Passkeys that the account already has.' }),
  })
  .meta({ id: 'NewPasskeyOptions', description: 'What the browser needs to make a passkey.' });
export type NewPasskeyOptionsDto = z.infer<typeof newPasskeyOptions>;

export const secondStep = z
  .object({
    factors: z.array(z.enum(SECOND_FACTORS)).meta({ description: 'Factors that can finish the sign-in.' }),
  })
  .meta({ id: 'SecondStep', description: 'A sign-in that waits for its second factor.' });
export type SecondStepDto = z.infer<typeof secondStep>;

/** Spaces and dashes are for the eye. */
const withoutGaps = (text: string): string => text.replaceAll(/[\s-]/g, '').toLowerCase();

const codeInput = z
  .string({ error: copy.codeDigits })
  .max(100, copy.codeDigits)
  .transform(withoutGaps)
  .refine((code) => new RegExp(`^\\d{${AUTHENTICATOR.digits}}$`).test(code), copy.codeDigits)
  .meta({ description: 'Code of the authenticator app: 6 digits.', examples: ['287082'] });

const recoveryCodeInput = z
  .string({ error: copy.recoveryCodeForm })
  .max(100, copy.recoveryCodeForm)
  .transform(withoutGaps)
  .refine((code) => /^[0-9a-z]{16}$/.test(code), copy.recoveryCodeForm)
  .meta({ description: 'A recovery code.', examples: ['7h2k-9mfa-q0xw-3bvt'] });

export const secondStepInput = z
  .object({
    code: codeInput.optional(),
    recoveryCode: recoveryCodeInput.optional(),
    passkey: passkeyAnswer.optional(),
    isRemembered: flagInput
      .default(false)
      .meta({ description: 'True to ask for no second factor in this browser for 30 days.' }),
  })
  .refine(
    ({ code, recoveryCode, passkey }) => [code, recoveryCode, passkey].filter((one) => one !== undefined).length === 1,
    { path: ['code'], message: copy.secondFactorOne },
  )
  .meta({ id: 'FinishSignIn', description: 'One second factor.' });
export type SecondStepInput = z.infer<typeof secondStepInput>;

/** The password of an account that has one; others need a fresh sign-in. */
const currentPassword = currentPasswordInput.optional().meta({
  description: 'The current password. An account without one needs a session of the last 10 minutes instead.',
});
export const ownerInput = z.object({ currentPassword });

export const newAuthenticator = z
  .object({
    key: z
      .string()
      .meta({ description: 'Key of the codes, base32, to enter by hand.', examples: ['JBSWY3DPEHPK3PXP'] }),
    uri: z.string().meta({
      description: 'The same as an address, for a QR code.',
      examples: ['otpauth://totp/Marshal:viper%40example.org?secret=JBSWY3DPEHPK3PXP&issuer=Marshal'],
    }),
  })
  .meta({ id: 'NewAuthenticator', description: 'The key of an authenticator app that is not confirmed yet.' });
export type NewAuthenticatorDto = z.infer<typeof newAuthenticator>;

export const confirmAuthenticatorInput = z.object({ code: codeInput });

export const recoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .nullable()
      .meta({
        description: 'New recovery codes, which are not shown again; null for an account that still has some.',
        examples: [['7h2k-9mfa-q0xw-3bvt']],
      }),
  })
  .meta({ id: 'RecoveryCodes', description: 'Recovery codes, shown once.' });

const passkeyName = safeText(PASSKEY_NAME_MAX_LENGTH, { missing: copy.passkeyNameRequired })
  .refine((text) => text !== '', copy.passkeyNameRequired)
  .meta({ description: 'Name, by which its owner recognizes it.', examples: ['Laptop'] });
const passkeyId = idInput.meta({ description: 'Id of the passkey, as the list names it.' });

export const addPasskeyInput = z
  .object({ name: passkeyName, passkey: newPasskeyAnswer })
  .meta({ id: 'AddPasskey', description: 'A new passkey and its name.' });
export const renamePasskeyInput = z.object({ passkeyId, name: passkeyName });
export const removePasskeyInput = z.object({ passkeyId, currentPassword });

const passkey = z
  .object({
    id: rowId.meta({ description: 'Id of the passkey.' }),
    name: z.string().meta({ description: 'Name that its owner gave it.', examples: ['Laptop'] }),
    isSynced: z.boolean().meta({ description: 'True when it is backed up, and may exist on several devices.' }),
    createdAt: isoInstant.meta({ description: 'When it was added.' }),
    lastUsedAt: isoInstant.nullable().meta({ description: 'The last sign-in with it; null for none.' }),
  })
  .meta({ id: 'Passkey', description: 'A passkey or security key.' });

export const rememberedDevice = z
  .object({
    id: rowId.meta({ description: 'Id of the device, to forget it.' }),
    device: z.string().meta({ description: 'Browser and system.', examples: ['Firefox on Windows'] }),
    isCurrent: z.boolean().meta({ description: 'True for the browser of the request.' }),
    createdAt: isoInstant.meta({ description: 'When it was remembered.' }),
    expiresAt: isoInstant.meta({ description: 'When it will be asked again.' }),
  })
  .meta({ id: 'RememberedDevice', description: 'A browser that needs no second factor for a while.' });
export type RememberedDeviceDto = z.infer<typeof rememberedDevice>;
export const deviceInput = z.object({ deviceId: idInput.meta({ description: 'Id of the remembered device.' }) });

export const secondFactor = z
  .object({
    isOn: z.boolean().meta({ description: 'True when sign-ins ask for a second factor.' }),
    isRequired: z.boolean().meta({ description: 'True for an admin where admins need a second factor.' }),
    hasPassword: z.boolean().meta({ description: 'False for an account that confirms changes by a fresh sign-in.' }),
    authenticatorSince: isoInstant
      .nullable()
      .meta({ description: 'When the authenticator app was set up; null for none.' }),
    canUsePasskeys: z.boolean().meta({ description: 'False where the address of the site does not allow passkeys.' }),
    passkeys: z.array(passkey).meta({ description: 'The passkeys, the oldest first.' }),
    recoveryCodesLeft: z.int().meta({ description: 'Unused recovery codes.', examples: [10] }),
    devices: z.array(rememberedDevice).meta({ description: 'Remembered devices, the newest first.' }),
  })
  .meta({ id: 'SecondFactor', description: 'The second factor of an account.' });
export type SecondFactorDto = z.infer<typeof secondFactor>;

export const signInHistory = z.array(
  z
    .object({
      id: rowId.meta({ description: 'Id of the entry.' }),
      occurredAt: isoInstant.meta({ description: 'When it happened.' }),
      action: z.enum(AUDIT_ACTIONS).meta({ description: 'What happened.' }),
      text: z.string().meta({
        description: 'The entry as a sentence. Addresses of IPv6 are shortened to their network.',
        examples: ['Signed in with a password from 203.0.113.7 (Firefox on Windows)'],
      }),
      isNewDevice: z
        .boolean()
        .meta({ description: 'True for a sign-in from a browser that had never signed in before.' }),
      isByAnother: z.boolean().meta({ description: 'True for a change by an admin or the operator.' }),
    })
    .meta({ id: 'SignInEntry', description: 'An entry of the sign-in history.' }),
);
export type SignInHistoryDto = z.infer<typeof signInHistory>;
