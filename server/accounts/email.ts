/** Email addresses: the unique key of an address, and the placeholder of accounts without one. */

import { domainToASCII } from 'node:url';

/**
 * The key under which an address is unique: NFC, lower case, domain in its ASCII form. Computed only here: lower case in
 * SQL depends on the database's locale.
 */
export function emailKey(email: string): string {
  const normal = email.normalize('NFC').toLowerCase();
  const at = normal.lastIndexOf('@');
  const domain = domainToASCII(normal.slice(at + 1));
  return `${normal.slice(0, at)}@${domain || normal.slice(at + 1)}`;
}

/** Accounts from Discord have no address; this domain is reserved and never receives mail (RFC 2606). */
const PLACEHOLDER_DOMAIN = '@discord.invalid';

/** A LIKE pattern for the placeholders of accounts without an address. */
export const PLACEHOLDER_PATTERN = `%${PLACEHOLDER_DOMAIN}`;

/** The placeholder that an account without an address has in the email column; it is never shown. */
export function placeholderEmail(userId: string): string {
  return `${userId}${PLACEHOLDER_DOMAIN}`;
}

/** The address to show: '' for an account without one. */
export function shownEmail(email: string): string {
  return email.endsWith(PLACEHOLDER_DOMAIN) ? '' : email;
}
