/** Second factors in tests: codes of an authenticator app (RFC 6238) by an implementation of its own, and accounts that have one. */
import { createHmac } from 'node:crypto';
import { PASSWORD, type Person } from './given.ts';
import { createClient, type Answer, type Client, type Service } from './service.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code that an app shows. @param steps 30-second steps after now */
export function codeOf(key: string, steps = 0, nowMs = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000) + steps));
  const mac = createHmac('sha1', fromBase32(key)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** Six digits that no step near now has. */
export function wrongCode(key: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(key, steps)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code)) ?? '';
}

const OWN = '/auth/second-factor';

/**
 * Sets up an authenticator app with the code of the step before, so that the present one is still unused. A code that is too
 * old when it arrives, because a step ended on its way, is followed by the next one.
 */
export async function givenAuthenticator({ client }: Person): Promise<{ key: string; recoveryCodes: string[] }> {
  const begun = await client.call('POST', `${OWN}/authenticator`, { currentPassword: PASSWORD });
  if (begun.status !== 200) throw new Error(`the set-up answered ${begun.status}`);
  const { key } = begun.body;
  for (;;) {
    const code = codeOf(key, -1);
    const { status, body } = await client.call('POST', `${OWN}/authenticator/confirm`, { code });
    if (status === 200) return { key, recoveryCodes: body.recoveryCodes };
    if (codeOf(key, -1) === code) throw new Error(`the first code answered ${status}`);
  }
}

/** A browser in which the password was right, and the second factor is asked for. */
export async function givenFirstStep(service: Service, { email }: Person): Promise<Client> {
  const client = createClient(service);
  const { status, body } = await client.call('POST', '/auth/login', { email, password: PASSWORD });
  if (status !== 401 || body.code !== 'SECOND_FACTOR_REQUIRED') throw new Error(`sign-in answered ${status}`);
  return client;
}

export const finish = (client: Client, answer: Record<string, unknown>): Promise<Answer> =>
  client.call('POST', '/auth/second-step', answer);

export const isSignedIn = async (client: Client): Promise<boolean> =>
  (await client.call('GET', '/auth/me')).status === 200;
