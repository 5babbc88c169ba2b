/** Passkeys in the browser (WebAuthn): asking for one, making one, and what to say when that fails. */
import { copy } from '#shared/copy.ts';
import type { NewPasskeyOptionsDto, PasskeyAnswer, PasskeyQuestionDto } from '#shared/schemas/second-factor.ts';
import { errorMessage } from './errors.ts';

type Listed = PasskeyQuestionDto['allow'];
type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb';

/** Browsers ignore ways that they do not know. */
const toDescriptors = (keys: Listed) =>
  keys.map(({ id, transports }) => ({ id, type: 'public-key' as const, transports: transports as Transport[] }));

/** True where the browser has passkeys. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window;

/** Ask the person for one of the account's passkeys. @throws when they decline, or the browser has none of them */
export async function askPasskey({ challenge, rpId, allow }: PasskeyQuestionDto): Promise<PasskeyAnswer> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({
    optionsJSON: { challenge, rpId, allowCredentials: toDescriptors(allow), userVerification: 'preferred' },
  });
}

/** Make a passkey. @throws when the person declines, or the device already has one */
export async function makePasskey({ challenge, rp, user, algorithms, exclude }: NewPasskeyOptionsDto) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({
    optionsJSON: {
      challenge,
      rp,
      user,
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: toDescriptors(exclude),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
    },
  });
}

/** The sentence for a failure of the browser or the server. */
export function passkeyFailure(cause: unknown): string {
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'InvalidStateError') return 'This device already has a passkey for this account.';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'Nothing was confirmed. Please try again.';
  return errorMessage(cause, copy.passkeyRefused);
}
