/** The community: its settings, the invites by which people join it, and the requests of visitors who would like to. */
import { defineEntity } from '@mikro-orm/core';
import type { SlotRequestInput } from '#shared/schemas/slot-requests.ts';
import {
  PROFICIENCY_LEVELS,
  REGISTRATION_MODES,
  ROLES,
  type ProficiencyLevel,
  type RegistrationMode,
  type Role,
} from '#shared/vocabulary.ts';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { freeText, p, smallints, text } from './columns.ts';
import { none, own, owner, quotes } from './personal.ts';
import { User } from './user.ts';

/** One row, written with the first change; without it the defaults hold. */
export const CommunitySchema = defineEntity({
  name: 'Community',
  properties: {
    id: p.smallint().primary().autoincrement(false),
    /** null until an admin names the community */
    name: freeText(100, none).nullable(),
    registration: text(none).$type<RegistrationMode>().default('open'),
    /** when an admin put the guided start away; null while it may be shown */
    startDismissedAt: p.datetime().nullable(),
    updatedAt: updatedAt(),
  },
  checks: [
    { name: 'community_one_row', expression: 'id = 1' },
    { name: 'community_registration_known', expression: oneOf('registration', REGISTRATION_MODES) },
  ],
});
export class Community extends CommunitySchema.class {}
CommunitySchema.setClass(Community);

/** A link by which people can register. Its token is signed and not stored (`server/accounts/invite-links.ts`). */
export const InviteSchema = defineEntity({
  name: 'Invite',
  properties: {
    id: id(),
    name: freeText(100, quotes('invite', 'as long as the invite')),
    /** the role of the accounts: `admin` comes with `user` */
    role: text(none).$type<Role>(),
    /** accounts wait for an admin, whatever the registration setting says */
    withApproval: p.boolean(),
    /** null: any number */
    maxUses: p.integer().nullable(),
    uses: p.integer().default(0),
    /** null: never */
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    /** what the registration wizard starts with: a time zone, and aircraft by their ids */
    timeZone: text(none).nullable(),
    aircraftIds: smallints().$type<number[]>(),
    createdBy: () => p.manyToOne(User).nullable().deleteRule('set null'),
    createdAt: createdAt(),
  },
  checks: [
    { name: 'invite_role_known', expression: oneOf('role', ROLES) },
    { name: 'invite_uses_limited', expression: 'uses >= 0 and (max_uses is null or uses <= max_uses)' },
  ],
});
export class Invite extends InviteSchema.class {}
InviteSchema.setClass(Invite);

/** An account that joined by an invite. */
export const InviteUseSchema = defineEntity({
  name: 'InviteUse',
  properties: {
    user: () => p.oneToOne(User).owner().primary().deleteRule('cascade'),
    invite: () => p.manyToOne(Invite).deleteRule('cascade').index('invite_use_invite_idx'),
    joinedAt: p.datetime(),
  },
});
export class InviteUse extends InviteUseSchema.class {}
InviteUseSchema.setClass(InviteUse);

/** A message of an admin to all pilots who want community news. */
export const CommunityMessageSchema = defineEntity({
  name: 'CommunityMessage',
  properties: {
    id: id(),
    text: freeText(1000, quotes('marks', 'for good')),
    /** pilots who could be reached when it was sent */
    recipients: p.integer(),
    /** when its notifications were queued */
    pushedAt: p.datetime().nullable(),
    createdBy: () => p.manyToOne(User).nullable().deleteRule('set null'),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'community_message_created_idx', properties: ['createdAt'] }],
});
export class CommunityMessage extends CommunityMessageSchema.class {}
CommunityMessageSchema.setClass(CommunityMessage);

/** A visitor's request for a slot. It is deleted when its address gets an account. */
export const SlotRequestSchema = defineEntity({
  name: 'SlotRequest',
  properties: {
    id: id(),
    handle: freeText(200, own(null)),
    email: text(own(null)),
    /** one request for each address, which another one replaces */
    emailKey: text(owner('address')).unique(),
    module: text(own(null)).$type<SlotRequestInput['module']>(),
    level: text(own(null)).$type<ProficiencyLevel>(),
    slot: text(own(null)).$type<SlotRequestInput['slot']>(),
    notes: freeText(2000, own(null)).nullable(),
    /** the invite that was made for it */
    invite: () => p.manyToOne(Invite).nullable().deleteRule('set null').index('slot_request_invite_idx'),
    createdAt: createdAt(),
  },
  checks: [{ name: 'slot_request_level_known', expression: oneOf('level', PROFICIENCY_LEVELS) }],
});
export class SlotRequest extends SlotRequestSchema.class {}
SlotRequestSchema.setClass(SlotRequest);
