/** Schemas of the community's settings, its invites, and the accounts that wait for approval. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import {
  COMMUNITY_MESSAGE_MAX_LENGTH,
  COMMUNITY_NAME_MAX_LENGTH,
  INVITE_TOKEN_MAX_LENGTH,
  INVITES,
  LISTED_MAX,
} from '#shared/limits.ts';
import { INVITE_STATES, REGISTRATION_MODES, ROLES, THEATERS } from '#shared/vocabulary.ts';
import { user } from './auth.ts';
import {
  aircraftId,
  count,
  idInput,
  instantInput,
  isoInstant,
  optionalText,
  rowId,
  safeText,
  timeZoneInput,
  wholeNumber,
} from './common.ts';

const communityName = z
  .string()
  .nullable()
  .meta({
    description: 'Name of the community; null until an admin has chosen one.',
    examples: ['Lantern Wing'],
  });
const registrationMode = z.enum(REGISTRATION_MODES, { error: copy.registrationFromList }).meta({
  description:
    '`open`: anybody can register. `invite`: only with an invite. `approval`: anybody, and an admin approves each account.',
});

export const community = z
  .object({ name: communityName, registration: registrationMode })
  .meta({ id: 'Community', description: 'The settings of the community.' });
export type CommunityDto = z.infer<typeof community>;

export const updateCommunityInput = z
  .object({
    name: optionalText(COMMUNITY_NAME_MAX_LENGTH).meta({
      description: 'Name of the community; empty for none.',
      examples: ['Lantern Wing'],
    }),
    registration: registrationMode,
  })
  .meta({ id: 'UpdateCommunity', description: 'The settings of the community.' });
export type UpdateCommunityInput = z.infer<typeof updateCommunityInput>;

const inviteName = 'What the invite is for; only admins see it.';
const withApproval = z
  .boolean({ error: copy.trueOrFalse })
  .meta({ description: 'True when an admin approves each account that joins by it.' });
const maxUses = 'How many accounts can join by it; null for any number.';
const expiresAt = 'When it stops working; null for never.';
const zone = 'Time zone that the accounts start with; null for none.';

export const createInviteInput = z
  .object({
    name: safeText(INVITES.nameLength, { missing: copy.inviteNameRequired })
      .refine((text) => text !== '', copy.inviteNameRequired)
      .meta({ description: inviteName, examples: ['Autumn recruits'] }),
    role: z
      .enum(ROLES, { error: 'The role must be admin or user' })
      .default('user')
      .meta({
        description: `Role of the accounts. \`admin\` needs at most ${INVITES.adminUsesMax} uses and an expiry within ${INVITES.adminDaysMax} days.`,
      }),
    withApproval: withApproval.default(false),
    maxUses: wholeNumber(1, INVITES.usesMax, copy.inviteUses)
      .nullish()
      .transform((value) => value ?? null)
      .meta({ description: maxUses, examples: [40] }),
    expiresAt: instantInput()
      .nullish()
      .transform((value) => value ?? null)
      .meta({
        description: `${expiresAt} At most ${INVITES.daysMax} days ahead.`,
        examples: ['2026-12-24T00:00:00.000Z'],
      }),
    timeZone: timeZoneInput
      .nullish()
      .transform((value) => value ?? null)
      .meta({ description: zone }),
    aircraftIds: z
      .array(
        z
          .int({ error: copy.unknownAircraft })
          .min(1, copy.unknownAircraft)
          .max(32_767, copy.unknownAircraft)
          .meta({ description: 'Id of the aircraft.', examples: [2] }),
        { error: copy.unknownAircraft },
      )
      .max(INVITES.aircraftMax, copy.unknownAircraft)
      .default([])
      .meta({ description: 'Ids of aircraft that the accounts start with, at the level basic.', examples: [[2]] }),
    requestId: idInput
      .nullish()
      .transform((value) => value ?? null)
      .meta({ description: 'Id of the request that it answers; null for none.' }),
  })
  .meta({ id: 'CreateInvite', description: 'An invite to make.' });
export type CreateInviteInput = z.infer<typeof createInviteInput>;

export const inviteInput = z.object({ id: idInput.meta({ description: 'Id of the invite.' }) });

export const invite = z
  .object({
    id: rowId.meta({ description: 'Id of the invite. It is not the token of the link.' }),
    name: z.string().meta({ description: inviteName, examples: ['Autumn recruits'] }),
    url: z.string().meta({
      description: 'The link to give to people; empty for an access token if the invite makes admins.',
      examples: ['https://marshal.example.org/join/…'],
    }),
    state: z.enum(INVITE_STATES).meta({ description: 'Only an open invite lets anybody in.' }),
    role: z.enum(ROLES).meta({ description: 'Role of the accounts that join by it.', examples: ['user'] }),
    withApproval,
    maxUses: count.nullable().meta({ description: maxUses, examples: [40] }),
    uses: count.meta({ description: 'How many accounts have joined by it.', examples: [12] }),
    expiresAt: isoInstant.nullable().meta({ description: expiresAt }),
    timeZone: z
      .string()
      .nullable()
      .meta({ description: zone, examples: ['Europe/Berlin'] }),
    aircraftIds: z
      .array(aircraftId)
      .meta({ description: 'Ids of aircraft that the accounts start with.', examples: [[2]] }),
    createdBy: z
      .string()
      .nullable()
      .meta({ description: 'Name of the admin who made it; null once that account is gone.', examples: ['Marshal'] }),
    createdAt: isoInstant.meta({ description: 'When it was made.' }),
  })
  .meta({ id: 'Invite', description: 'An invite link.' });
export type InviteDto = z.infer<typeof invite>;

export const invitedPilot = z
  .object({
    user: user.meta({ description: 'The account.' }),
    joinedAt: isoInstant.meta({ description: 'When it joined.' }),
  })
  .meta({ id: 'InvitedPilot', description: 'An account that joined by an invite.' });
export type InvitedPilotDto = z.infer<typeof invitedPilot>;

/** Registration as visitors see it, with the invite that they have, if any. */
export const registrationInput = z.object({
  invite: optionalText(INVITE_TOKEN_MAX_LENGTH).meta({ description: 'Token of an invite link.' }),
});
export const registration = z
  .object({
    community: communityName,
    mode: registrationMode,
    invite: z
      .object({
        problem: z
          .string()
          .nullable()
          .meta({
            description: 'Why nobody can join by it, as a sentence; null for an open invite.',
            examples: [copy.inviteExpired],
          }),
        invitedBy: z
          .string()
          .nullable()
          .meta({ description: 'Call sign of the admin who made it, if known.', examples: ['Marshal'] }),
        needsApproval: z.boolean().meta({ description: 'True when an admin approves each account.' }),
      })
      .nullable()
      .meta({ description: 'The invite; null when none was sent.' }),
    preview: z
      .object({
        pilots: count.meta({ description: 'Active pilots.', examples: [13] }),
        next: z
          .object({
            name: z.string().meta({ description: 'Name of the mission.', examples: ['Iron Anvil'] }),
            theater: z.enum(THEATERS).meta({ description: 'Theater of the mission.' }),
            startUtc: isoInstant.meta({ description: 'Its start.' }),
            openSeats: count.meta({ description: 'Seats that nobody holds.', examples: [3] }),
          })
          .nullable()
          .meta({ description: 'The next mission; null without one.' }),
      })
      .nullable()
      .meta({ description: 'What an open invite leads to; null without one.' }),
  })
  .meta({ id: 'Registration', description: 'Who can register, and what an invite allows.' });
export type RegistrationDto = z.infer<typeof registration>;

export const waitingAccounts = z
  .object({
    accounts: z
      .array(
        z.object({
          user: user.meta({ description: 'The account.' }),
          since: isoInstant.meta({ description: 'When it registered, or was declined.' }),
          invite: z
            .string()
            .nullable()
            .meta({ description: 'Name of the invite that it came by; null for none.', examples: ['Autumn recruits'] }),
          becomesAdmin: z.boolean().meta({
            description:
              'True when approving it makes it an admin: its invite is for admins, has not been revoked, and its creator is still an admin.',
            examples: [false],
          }),
        }),
      )
      .meta({
        description: `Accounts, those that wait first, the oldest first; at most ${LISTED_MAX.waiting}.`,
      }),
    waiting: count.meta({ description: 'How many accounts wait in all.', examples: [3] }),
  })
  .meta({ id: 'WaitingAccounts', description: 'Accounts that wait for approval, or were declined.' });
export type WaitingAccountsDto = z.infer<typeof waitingAccounts>;

export const decideAccountsInput = z
  .object({
    ids: z
      .array(idInput, { error: copy.chooseAccounts })
      .min(1, copy.chooseAccounts)
      .max(LISTED_MAX.waiting, copy.chooseAccounts)
      .meta({ description: 'Ids of the accounts. Those that are no longer waiting or declined are left as they are.' }),
    decision: z.enum(['approve', 'decline'], { error: copy.decisionFromList }).meta({
      description: '`approve` makes them pilots; `decline` refuses them, and they are deleted after 30 days.',
    }),
    admins: z
      .array(idInput, { error: copy.chooseAccounts })
      .max(LISTED_MAX.waiting, copy.chooseAccounts)
      .default([])
      .meta({
        description:
          'Ids of the accounts that are meant to become admins: approving one with `becomesAdmin` is refused unless it is named here.',
        examples: [[]],
      }),
  })
  .meta({ id: 'DecideAccounts', description: 'A decision about waiting accounts.' });
export type DecideAccountsInput = z.infer<typeof decideAccountsInput>;

export const decidedAccounts = z
  .object({ decided: count.meta({ description: 'How many accounts have changed.', examples: [2] }) })
  .meta({ id: 'DecidedAccounts', description: 'The result of a decision about waiting accounts.' });

export const guidedStart = z
  .object({
    isShown: z.boolean().meta({ description: 'False once everything is done, or an admin has put it away.' }),
    hasName: z.boolean().meta({ description: 'The community has a name.' }),
    hasCallSign: z.boolean().meta({ description: 'The caller has a call sign.' }),
    hasInvited: z.boolean().meta({ description: 'There is an invite, or another pilot.' }),
    hasServer: z.boolean().meta({ description: 'The bot is in a Discord server.' }),
    hasMission: z.boolean().meta({ description: 'A mission has been published.' }),
    practice: z
      .object({
        id: rowId.meta({ description: 'Id of the mission.' }),
        startUtc: isoInstant.meta({ description: 'Its start.' }),
      })
      .nullable()
      .meta({ description: "The caller's practice mission; null for none." }),
    pilots: count.meta({ description: 'Active pilots, the caller included.', examples: [13] }),
    withTimes: count.meta({ description: 'Active pilots who have stated when they can fly.', examples: [11] }),
  })
  .meta({ id: 'GuidedStart', description: 'What a new community has done, and has yet to do.' });
export type GuidedStartDto = z.infer<typeof guidedStart>;

export const communityMessageInput = z
  .object({
    text: safeText(COMMUNITY_MESSAGE_MAX_LENGTH, {
      missing: copy.messageRequired,
      tooLong: copy.messageTooLong,
      multiline: true,
    })
      .refine((text) => text !== '', copy.messageRequired)
      .meta({
        description: 'The message, in Markdown without HTML.',
        examples: ['Fly-in on Saturday: bring a friend.'],
      }),
  })
  .meta({ id: 'SendCommunityMessage', description: 'A message to pilots who want community news.' });
export type CommunityMessageInput = z.infer<typeof communityMessageInput>;

const communityMessage = z
  .object({
    id: rowId.meta({ description: 'Id of the message.' }),
    text: z.string().meta({ description: 'The message.', examples: ['Fly-in on Saturday: bring a friend.'] }),
    sentBy: z
      .string()
      .nullable()
      .meta({ description: 'Name of the admin who sent it; null if the account is gone.', examples: ['Afterglow'] }),
    sentAt: isoInstant.meta({ description: 'Time at which it was sent.' }),
    recipients: count.meta({ description: 'Pilots who could be reached then.', examples: [21] }),
  })
  .meta({ id: 'CommunityMessage', description: 'A message that was sent to pilots who want community news.' });

export const communityMessages = z
  .object({
    recipients: count.meta({ description: 'Pilots whom a message would reach now.', examples: [21] }),
    byDiscord: count.meta({ description: 'Those of them with direct messages in Discord.', examples: [18] }),
    byPush: count.meta({ description: 'Those of them with notifications on a device.', examples: [9] }),
    left: count.meta({ description: 'Messages that may still be sent today.', examples: [3] }),
    messages: z.array(communityMessage).meta({ description: 'The last 10 messages, the newest first.' }),
  })
  .meta({ id: 'CommunityMessages', description: 'Whom a message to the community reaches, and the last ones.' });
export type CommunityMessagesDto = z.infer<typeof communityMessages>;
