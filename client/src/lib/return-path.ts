/**
 * Path to open after sign-in.
 * @param from the page that redirected to /login; anything but a path on this site is ignored
 * @returns path with search and hash
 */
export function safeReturnPath(from: string | undefined, fallback = '/home'): string {
  if (from === undefined || !/^\/(?![/\\])/.test(from) || /^\/login(?:[/?#]|$)/.test(from)) {
    return fallback;
  }
  return from;
}
