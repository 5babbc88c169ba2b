/**
 * Hosts of addresses that people enter, resolved once and checked: a request connects to an address that was checked, so a
 * name that resolves differently the next time (DNS rebinding) changes nothing.
 */
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { ADDRESS_PROBLEMS, findAddressProblem, isPublicAddress, literalAddress } from './public-addresses.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}
/** Resolves a host to all its addresses; rejects when there is none. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

/** How addresses are judged. */
export interface AddressRules {
  /** a setting for development: private addresses, and plain http to this machine */
  allowPrivate: boolean;
  resolve?: Resolve;
}

const resolveHost: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** A lookup for the connection that only knows the checked addresses. */
const lookupOf =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else if (first) callback(null, first.address, first.family);
  };

/**
 * Resolve the host of a URL that `findAddressProblem` has let through.
 * @returns what a request passes on to connect only to the checked addresses; null when one of them is not public
 */
export async function checkHost(
  url: URL,
  { allowPrivate, resolve = resolveHost }: AddressRules,
): Promise<{ lookup?: LookupFunction } | null> {
  if (literalAddress(url) !== null) return {};
  const found = await resolve(url.hostname);
  const isAllowed = found.length > 0 && (allowPrivate || found.every(({ address }) => isPublicAddress(address)));
  return isAllowed ? { lookup: lookupOf(found) } : null;
}

/** @returns the problem of an address that is entered, as far as it can be told; null if it may be saved */
export async function findUrlProblem(text: string, rules: AddressRules): Promise<string | null> {
  const problem = findAddressProblem(text, rules.allowPrivate);
  if (problem !== null) return ADDRESS_PROBLEMS[problem];
  if (rules.allowPrivate) return null;
  // a host that cannot be resolved now may exist tomorrow: only each request decides
  const host = await checkHost(new URL(text), rules).catch(() => ({}));
  return host === null ? ADDRESS_PROBLEMS.private : null;
}
