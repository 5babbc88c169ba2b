/** Return path after sign-in, restricted to pages of this app (no open redirect). */

/** First path segments of the pages that need a sign-in. */
export const SIGNED_IN_PAGES = [
  'admin',
  'availability',
  'credentials',
  'home',
  'missions',
  'orders',
  'profile',
  'register',
] as const;

const HOME = '/home';
/** The path is stored in a cookie, which holds four kilobytes. */
const MAX_LENGTH = 1000;

/**
 * @param from untrusted, from a URL
 * @returns path, search and hash of a page of ours; /home for anything else or anything too long
 */
export function knownReturnPath(from: string | null | undefined): string {
  // parsed as browsers do: they read `/\evil`, `//evil` and some paths with a tab as another site
  const base = 'http://site.invalid';
  if (!from || !URL.canParse(from, base)) return HOME;
  const url = new URL(from, base);
  const [, first] = url.pathname.split('/');
  const isKnown = url.origin === base && SIGNED_IN_PAGES.some((page) => page === first);
  const path = url.pathname + url.search + url.hash;
  return isKnown && path.length <= MAX_LENGTH ? path : HOME;
}
