/** Schemas of sign-in with Discord and of a pilot's linked Discord account. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { flagInput, idInput, isoInstant, optionalText } from './common.ts';

/** Purposes of a visit to Discord's sign-in. */
export const DISCORD_PURPOSES = ['sign-in', 'link', 'register'] as const;

const TEXT_MAX_LENGTH = 100;

export const discordVisitInput = z
  .object({
    purpose: z.enum(DISCORD_PURPOSES, { error: copy.invalidInput }),
    /** Guild to register for; required for the purpose `register`. */
    guildId: optionalText(TEXT_MAX_LENGTH),
    campaignId: optionalText(TEXT_MAX_LENGTH),
    /** For the purpose `sign-in`: path of the page to open afterwards. */
    from: z.string({ error: copy.invalidInput }).optional(),
  })
  .refine(({ purpose, guildId }) => purpose !== 'register' || guildId !== null, {
    path: ['guildId'],
    message: copy.registrationLinkInvalid,
  });

/** Ways to sign in besides email and password. */
export const signInWays = z.object({ discord: z.boolean() }).meta({ id: 'SignInWays' });

export const discordLink = z
  .object({
    /** True when this installation can link accounts, which requires sign-in with Discord. */
    canLink: z.boolean(),
    /** True when this installation has a bot, which sends direct messages. */
    hasBot: z.boolean(),
    /** The linked Discord account; null when none is linked. */
    account: z
      .object({
        username: z.string(),
        linkedAt: isoInstant,
        /** True when frag orders are also sent as direct messages. */
        wantsOrders: z.boolean(),
        /** Time at which Discord refused the last direct message; null when it was delivered or none was sent. */
        refusedAt: isoInstant.nullable(),
        /** False for an account without a password, which could no longer sign in. */
        canUnlink: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: 'DiscordLink' });
export type DiscordLinkDto = z.infer<typeof discordLink>;

export const discordLinkInput = z.object({ id: idInput });
export const setDiscordInput = z.object({ id: idInput, wantsOrders: flagInput });
