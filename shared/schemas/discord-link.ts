/** Discord as a pilot sees it on the site: signing in by it, and what is linked. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { flagInput, idInput, isoInstant, optionalText } from './common.ts';

/** What somebody goes to Discord for. */
export const DISCORD_PURPOSES = ['sign-in', 'link', 'register'] as const;

const TEXT_MAX_LENGTH = 100;

export const discordVisitInput = z
  .object({
    purpose: z.enum(DISCORD_PURPOSES, { error: copy.invalidInput }),
    /** for `register` */
    guildId: optionalText(TEXT_MAX_LENGTH),
    campaignId: optionalText(TEXT_MAX_LENGTH),
    /** for `sign-in`: the page of ours to go on to */
    from: z.string({ error: copy.invalidInput }).optional(),
  })
  .refine(({ purpose, guildId }) => purpose !== 'register' || guildId !== null, {
    path: ['guildId'],
    message: copy.registrationLinkInvalid,
  });

/** How one can sign in here beside email and password. */
export const signInWays = z.object({ discord: z.boolean() });

export const discordLink = z.object({
  /** whether this installation offers to link, which takes Discord's own sign-in */
  canLink: z.boolean(),
  /** whether it has a bot, and so sends direct messages */
  hasBot: z.boolean(),
  /** null: none is linked */
  account: z
    .object({
      username: z.string(),
      linkedAt: isoInstant,
      /** frag orders come as direct messages too */
      wantsOrders: z.boolean(),
      /** when Discord refused the last direct message; null: it did not */
      refusedAt: isoInstant.nullable(),
      /** without a password Discord is the only way in, and cannot be taken off */
      canUnlink: z.boolean(),
    })
    .nullable(),
});
export type DiscordLinkDto = z.infer<typeof discordLink>;

export const discordLinkInput = z.object({ id: idInput });
export const setDiscordInput = z.object({ id: idInput, wantsOrders: flagInput });
