/**
 * The path to open after sign-in.
 * @param from the page that sent the visitor to /login; anything but a path of this site is refused
 * @returns path with search and hash
 */
export function safeReturnPath(from: string | undefined, fallback = '/home'): string {
  if (from === undefined || !/^\/(?![/\\])/.test(from) || /^\/login(?:[/?#]|$)/.test(from)) {
    return fallback;
  }
  return from;
}
