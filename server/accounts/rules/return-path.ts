/** Return path after sign-in, validated: pages of this app and nothing else. */

/** First parts of the pages for people who are signed in. */
export const SIGNED_IN_PAGES = [
  'admin',
  'availability',
  'credentials',
  'home',
  'orders',
  'profile',
  'register',
] as const;

const HOME = '/home';
/** It travels in a cookie, which holds four kilobytes. */
const MAX_LENGTH = 1000;

/**
 * @param from as an address carries it: whatever somebody wrote there
 * @returns path, search and hash of a page of ours; /home for anything else, and for what is too long to carry
 */
export function knownReturnPath(from: string | null | undefined): string {
  // read as browsers do, who take `/\evil`, `//evil` and a path with a tab in it for another site
  const base = 'http://site.invalid';
  if (!from || !URL.canParse(from, base)) return HOME;
  const url = new URL(from, base);
  const [, first] = url.pathname.split('/');
  const isKnown = url.origin === base && SIGNED_IN_PAGES.some((page) => page === first);
  const path = url.pathname + url.search + url.hash;
  return isKnown && path.length <= MAX_LENGTH ? path : HOME;
}
