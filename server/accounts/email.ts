import { domainToASCII } from 'node:url';

/**
 * The key under which an address is unique: NFC, lower case, domain in its ASCII form. Computed here only; SQL never
 * lowers, since its idea of lower case depends on the database's locale.
 */
export function emailKey(email: string): string {
  const normal = email.normalize('NFC').toLowerCase();
  const at = normal.lastIndexOf('@');
  const domain = domainToASCII(normal.slice(at + 1));
  return `${normal.slice(0, at)}@${domain || normal.slice(at + 1)}`;
}

/** Accounts that come from Discord have no address; the reserved domain receives nothing, ever (RFC 2606). */
const PLACEHOLDER_DOMAIN = '@discord.invalid';

/** A LIKE pattern of what stands in the column of accounts without an address. */
export const PLACEHOLDER_PATTERN = `%${PLACEHOLDER_DOMAIN}`;

/** What stands in the column of an account without an address; nobody is shown it. */
export function placeholderEmail(userId: string): string {
  return `${userId}${PLACEHOLDER_DOMAIN}`;
}

/** The address as people see it: '' for an account without one. */
export function shownEmail(email: string): string {
  return email.endsWith(PLACEHOLDER_DOMAIN) ? '' : email;
}
