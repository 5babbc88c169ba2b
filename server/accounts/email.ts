/** Email addresses: the unique key of an address, and the placeholder of accounts without one. */

import { emailDomain, PLACEHOLDER_DOMAIN } from '#shared/email-domain.ts';

/**
 * The key under which an address is unique: NFC, lower case, domain in its ASCII form. Computed only here: lower case in
 * SQL depends on the database's locale.
 */
export function emailKey(email: string): string {
  const normal = email.normalize('NFC').toLowerCase();
  return `${normal.slice(0, normal.lastIndexOf('@'))}@${emailDomain(normal)}`;
}

/** A LIKE pattern for the placeholders of accounts without an address. */
export const PLACEHOLDER_PATTERN = `%@${PLACEHOLDER_DOMAIN}`;

/**
 * The placeholder that an account without an address has in the email column; it is never shown. Its domain is refused in
 * every input, and the database allows each account only its own placeholder.
 */
export function placeholderEmail(userId: string): string {
  return `${userId}@${PLACEHOLDER_DOMAIN}`;
}

/** The address to show: '' for an account without one. */
export function shownEmail(email: string): string {
  return email.endsWith(`@${PLACEHOLDER_DOMAIN}`) ? '' : email;
}
