/** Schemas of a briefing's links: input and answer. */
import { z } from '#shared/zod.ts';
import { LINK_TITLE_MAX_LENGTH, LINK_URL_MAX_LENGTH, MISSION_LINKS_MAX } from '#shared/limits.ts';
import { isSafeLink, LINK_KINDS } from '#shared/mission-links.ts';
import { safeText } from './common.ts';

const sentences = {
  kind: 'Please choose a kind of link from the list',
  title: 'Please enter a title for the link',
  titleTooLong: `A link's title can have up to ${LINK_TITLE_MAX_LENGTH} characters`,
  url: 'Please enter a web address that begins with https://',
  tooMany: `A mission can have up to ${MISSION_LINKS_MAX} links`,
};

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
