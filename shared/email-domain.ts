/** The domain of an email address in its one form, and the domain that stands for "no email". */

/**
 * The domain in ASCII and lower case, without the dot of a fully qualified name. Full-width letters, soft hyphens, dots of
 * other scripts and percent-encoding lead to the same form, as in an address bar. As it is written if it is not a host name.
 */
export function emailDomain(email: string): string {
  const written = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const host = URL.canParse(`ws://${written}`) ? new URL(`ws://${written}`).hostname : '';
  return (host || written).replace(/\.+$/, '');
}

/** Accounts without an email have an address here in their place; the end `.invalid` never receives mail (RFC 2606). */
export const PLACEHOLDER_DOMAIN = 'discord.invalid';

/** True for the placeholder domain and those below it: nobody's address, so nobody may enter one. */
export function isPlaceholder(email: string): boolean {
  const domain = emailDomain(email);
  return domain === PLACEHOLDER_DOMAIN || domain.endsWith(`.${PLACEHOLDER_DOMAIN}`);
}
