/** Links of a mission's briefing: what they lead to, and the words that surfaces without hyperlinks show. */
import type { MissionLink } from './schemas/mission-links.ts';

/** What a link leads to. */
export const LINK_KINDS = ['chart', 'tacview', 'file', 'other'] as const;
type LinkKind = (typeof LINK_KINDS)[number];

export const LINK_KIND_LABELS: Record<LinkKind, string> = {
  chart: 'Chart',
  tacview: 'TACVIEW',
  file: 'File',
  other: 'Link',
};

/** True for an https address without a user name or password. */
export function isSafeLink(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '';
}

/** `Chart: Akrotiri ground chart (https://example.org/akrotiri.pdf)` */
export function linkWords({ kind: of, title, url }: MissionLink): string {
  return `${LINK_KIND_LABELS[of]}: ${title} (${url})`;
}

/** All links as one text, as changes and the audit log show them; null without links. */
export function linksText(links: readonly MissionLink[]): string | null {
  return links.length === 0 ? null : links.map(linkWords).join(', ');
}
