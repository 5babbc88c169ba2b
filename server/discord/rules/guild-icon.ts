/** Guild icons, from Discord's own host only. */
const ICON_HOST = 'cdn.discordapp.com';

/**
 * An icon's address on Discord's own host; the Content-Security-Policy would block any other.
 * @returns null for any other address
 */
export function discordIcon(url: string | null | undefined): string | null {
  if (url === null || url === undefined || !URL.canParse(url)) return null;
  const { protocol, host } = new URL(url);
  return protocol === 'https:' && host === ICON_HOST ? url : null;
}
