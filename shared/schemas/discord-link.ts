/** Schemas of sign-in with Discord and of a pilot's linked Discord account. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { flagInput, idInput, isoInstant, optionalText } from './common.ts';

/** Purposes of a visit to Discord's sign-in. */
export const DISCORD_PURPOSES = ['sign-in', 'link', 'register'] as const;

const TEXT_MAX_LENGTH = 100;

export const discordVisitInput = z
  .object({
    purpose: z.enum(DISCORD_PURPOSES, { error: copy.invalidInput }).meta({ description: 'Purpose of the visit.' }),
    guildId: optionalText(TEXT_MAX_LENGTH).meta({
      description: 'Discord server to register for; required for `register`.',
    }),
    campaignId: optionalText(TEXT_MAX_LENGTH).meta({ description: 'Campaign of a registration.' }),
    from: z
      .string({ error: copy.invalidInput })
      .optional()
      .meta({ description: 'For `sign-in`: path of the page to open afterwards.', examples: ['/home'] }),
  })
  .refine(({ purpose, guildId }) => purpose !== 'register' || guildId !== null, {
    path: ['guildId'],
    message: copy.registrationLinkInvalid,
  });

/** Ways to sign in besides email and password. */
export const signInWays = z
  .object({
    discord: z.boolean().meta({ description: 'True when this installation offers sign-in with Discord.' }),
    mail: z
      .boolean()
      .meta({ description: 'True when this installation sends email, so that a forgotten password can be replaced.' }),
  })
  .meta({ id: 'SignInWays', description: 'Ways to sign in besides email and password.' });

export const discordLink = z
  .object({
    canLink: z
      .boolean()
      .meta({ description: 'True when this installation can link accounts, which needs sign-in with Discord.' }),
    hasBot: z.boolean().meta({ description: 'True when this installation has a bot, which sends direct messages.' }),
    account: z
      .object({
        username: z.string().meta({ description: 'Name of the Discord account.', examples: ['afterglow'] }),
        linkedAt: isoInstant.meta({ description: 'Time at which it was linked.' }),
        wantsOrders: z.boolean().meta({ description: 'True when frag orders are also sent as direct messages.' }),
        refusedAt: isoInstant.nullable().meta({
          description:
            'Time at which Discord refused the last direct message; null when it was delivered or none was sent.',
        }),
        canUnlink: z
          .boolean()
          .meta({ description: 'False for an account without a password, which could no longer sign in.' }),
      })
      .nullable()
      .meta({ description: 'The linked Discord account; null when none is linked.' }),
  })
  .meta({ id: 'DiscordLink', description: "A pilot's link to Discord." });
export type DiscordLinkDto = z.infer<typeof discordLink>;

const pilotId = idInput.meta({ description: 'Id of the pilot.' });
export const discordLinkInput = z.object({ id: pilotId });
export const setDiscordInput = z.object({
  id: pilotId,
  wantsOrders: flagInput.meta({ description: 'True to send frag orders as direct messages, too.' }),
});
