/** The setting TRUST_PROXY: whose word about a caller's address counts. */
import { isIP, isIPv4 } from 'node:net';
import { z } from 'zod';

/** Values that switch a setting off. */
export const OFF = ['off', '0', 'false', 'no'];

const NAMES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);
/** More proxies than any installation has; a larger number would believe whatever callers send. */
const PROXIES_MAX = 20;

/** An address, or a network such as `10.0.0.0/8` or `10.0.0.0/255.0.0.0`. */
function isNetwork(text: string): boolean {
  const [address = '', mask, ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0) return false;
  if (mask === undefined || isIPv4(mask)) return true;
  return /^\d{1,3}$/.test(mask) && Number(mask) <= (isIPv4(address) ? 32 : 128);
}

/**
 * Express's `trust proxy` setting: `off`, the number of proxies in front, or a list of addresses and the names `loopback`,
 * `linklocal`, `uniquelocal`. Never `on`, which would believe every caller.
 */
export const trustProxy = z
  .string()
  .refine(
    (value) =>
      OFF.includes(value.toLowerCase()) ||
      (/^\d{1,3}$/.test(value) && Number(value) <= PROXIES_MAX) ||
      value.split(',').every((one) => NAMES.has(one.trim()) || isNetwork(one.trim())),
    `must be off, the number of proxies (at most ${PROXIES_MAX}), or their addresses`,
  )
  .transform((value): boolean | number | string =>
    OFF.includes(value.toLowerCase()) && value !== '0' ? false : /^\d+$/.test(value) ? Number(value) : value,
  );
