/** Addresses that people enter and Marshal calls, of webhooks and calendars (SSRF protection): public ones over https, judged by URL and by IP address. */
import ipaddr from 'ipaddr.js';

const LOOPBACK_NAME = /^(localhost|.*\.localhost)\.?$/;
/** Names without a public meaning: refused before they are resolved, because their addresses differ from network to network. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)\.?$/;
/** All public IPv6 addresses are in 2000::/3. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Refusals, for whoever enters an address and for the log of deliveries. */
export const ADDRESS_PROBLEMS = {
  invalid: 'Please enter a complete address, such as https://example.org/marshal',
  notHttps: 'The address must begin with https://',
  credentials: 'The address must not contain a user name or password',
  private: 'The address must be public: Marshal sends nothing to private, local or reserved networks',
} as const;
export type AddressProblem = keyof typeof ADDRESS_PROBLEMS;

/** True for an address on the public internet. @param address IPv4 or IPv6, as a resolver returns it */
export function isPublicAddress(address: string): boolean {
  // four parts only: other parsers read shorter forms differently
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  // `unicast` is what remains after all special ranges; mapped and translated IPv4 addresses are special, too
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}

/** The IP address that a URL names instead of a host; null for a host. The URL parser has normalized it. */
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : null;
}

function isLoopback(url: URL): boolean {
  const literal = literalAddress(url);
  return literal === null ? LOOPBACK_NAME.test(url.hostname) : ipaddr.parse(literal).range() === 'loopback';
}

/**
 * Judge an address, as far as possible without resolving its host.
 * @param allowPrivate the setting for development: private addresses, and plain http to this machine
 * @returns the problem; null if it may be resolved
 */
export function findAddressProblem(text: string, allowPrivate: boolean): AddressProblem | null {
  if (!URL.canParse(text)) return 'invalid';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'notHttps';
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (url.protocol === 'http:' && !(allowPrivate && isLoopback(url))) return 'notHttps';
  if (allowPrivate) return null;
  const literal = literalAddress(url);
  if (literal !== null) return isPublicAddress(literal) ? null : 'private';
  // a name without a dot can only be in the local network
  return PRIVATE_NAME.test(url.hostname) || !url.hostname.replace(/\.$/, '').includes('.') ? 'private' : null;
}
