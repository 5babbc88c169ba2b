/** Links of a mission's briefing: input, answer, and the words that surfaces without hyperlinks show. */
import { z } from './zod.ts';
import { MISSION_LINKS_MAX, LINK_TITLE_MAX_LENGTH, LINK_URL_MAX_LENGTH } from './limits.ts';
import { safeText } from './schemas/common.ts';

/** What a link leads to. */
export const LINK_KINDS = ['chart', 'tacview', 'file', 'other'] as const;
type LinkKind = (typeof LINK_KINDS)[number];

export const LINK_KIND_LABELS: Record<LinkKind, string> = {
  chart: 'Chart',
  tacview: 'TACVIEW',
  file: 'File',
  other: 'Link',
};

const sentences = {
  kind: 'Please choose a kind of link from the list',
  title: 'Please enter a title for the link',
  titleTooLong: `A link's title can have up to ${LINK_TITLE_MAX_LENGTH} characters`,
  url: 'Please enter a web address that begins with https://',
  tooMany: `A mission can have up to ${MISSION_LINKS_MAX} links`,
};

/** True for an https address without a user name or password. */
export function isSafeLink(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '';
}

const kind = z
  .enum(LINK_KINDS, { error: sentences.kind })
  .meta({ description: 'What the link leads to.', examples: ['chart'] });

const missionLinkInput = z
  .object({
    url: safeText(LINK_URL_MAX_LENGTH, { tooLong: sentences.url, missing: sentences.url })
      .refine(isSafeLink, sentences.url)
      .meta({
        description: 'Web address, https only. Marshal never opens it.',
        format: 'uri',
        examples: ['https://example.org/charts/akrotiri.pdf'],
      }),
    title: safeText(LINK_TITLE_MAX_LENGTH, { tooLong: sentences.titleTooLong, missing: sentences.title })
      .refine((title) => title !== '', sentences.title)
      .meta({ description: 'Title of the link.', minLength: 1, examples: ['Akrotiri ground chart'] }),
    kind,
  })
  .meta({ id: 'MissionLinkInput', description: 'A link of a briefing.' });

export const missionLinksInput = z
  .array(missionLinkInput, { error: sentences.tooMany })
  .max(MISSION_LINKS_MAX, sentences.tooMany)
  .optional();

export const missionLinks = z
  .array(
    z
      .object({
        url: z
          .string()
          .meta({ description: 'Web address.', format: 'uri', examples: ['https://example.org/charts/akrotiri.pdf'] }),
        title: z.string().meta({ description: 'Title of the link.', examples: ['Akrotiri ground chart'] }),
        kind,
      })
      .meta({ id: 'MissionLink', description: 'A link of a briefing.' }),
  )
  .meta({ description: 'Links of the briefing; empty without any.' });
export type MissionLink = z.infer<typeof missionLinks>[number];

/** `Chart: Akrotiri ground chart (https://example.org/akrotiri.pdf)` */
export function linkWords({ kind: of, title, url }: MissionLink): string {
  return `${LINK_KIND_LABELS[of]}: ${title} (${url})`;
}

/** All links as one text, as changes and the audit log show them; null without links. */
export function linksText(links: readonly MissionLink[]): string | null {
  return links.length === 0 ? null : links.map(linkWords).join(', ');
}
