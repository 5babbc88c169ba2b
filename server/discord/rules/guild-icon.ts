/** Accepts guild icons from Discord's own host only. */
const ICON_HOST = 'cdn.discordapp.com';

/**
 * Icons come from Discord's own host or not at all; the page's content policy would refuse any other.
 * @returns null for whatever is no such address
 */
export function discordIcon(url: string | null | undefined): string | null {
  if (url === null || url === undefined || !URL.canParse(url)) return null;
  const { protocol, host } = new URL(url);
  return protocol === 'https:' && host === ICON_HOST ? url : null;
}
