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
