/** Names of pilots in the game, times aboard as a source saw them, and the attendance proposed from both. */
import { defineEntity } from '@mikro-orm/core';
import type { Evidence } from '#shared/schemas/attendance.ts';
import { type Side } from '#shared/vocabulary.ts';
import { createdAt, id, oneOf } from './base.ts';
import { freeJson, freeText, p, text } from './columns.ts';
import { own, owner, personal, quotes, shown } from './personal.ts';
import { FragOrder } from './frag-order.ts';
import { Mission } from './mission.ts';
import { User } from './user.ts';
import {
  GAME_NAME_PROOFS,
  PRESENCE_SOURCES,
  PROPOSAL_STATES,
  PROPOSAL_VERDICTS,
  type GameNameProof,
  type PresenceSource,
  type ProposalState,
  type ProposalVerdict,
} from '#shared/presence.ts';

const KEPT_WITH_MISSION = 'as long as the mission';

/** A name that a pilot has in the game, where it is not the call sign. */
export const GameIdentitySchema = defineEntity({
  name: 'GameIdentity',
  properties: {
    id: id(),
    user: () => personal(p.manyToOne(User).deleteRule('cascade').index('game_identity_user_idx'), owner('account')),
    name: freeText(120, own('name')),
    /** the name as names are compared: one name is one pilot's */
    nameKey: freeText(120, own(null)).unique(),
    provedBy: text(shown('provedBy')).$type<GameNameProof>(),
    createdBy: () => p.manyToOne(User).nullable().deleteRule('set null').index('game_identity_created_by_idx'),
    createdAt: personal(createdAt(), shown('createdAt')),
  },
  checks: [{ name: 'game_identity_proof_known', expression: oneOf('proved_by', GAME_NAME_PROOFS) }],
});
export class GameIdentity extends GameIdentitySchema.class {}
GameIdentitySchema.setClass(GameIdentity);

/** A time in which a source saw somebody aboard. Rows are added and never changed, except for whose name it is. */
export const PresenceSchema = defineEntity({
  name: 'Presence',
  properties: {
    id: id(),
    mission: () => p.manyToOne(Mission).deleteRule('cascade'),
    /** null for a name that is nobody's, or that two pilots could have */
    pilot: () =>
      personal(p.manyToOne(User).nullable().deleteRule('cascade').index('presence_pilot_idx'), owner('account')),
    source: text(shown('source')).$type<PresenceSource>(),
    name: freeText(120, quotes('holder', KEPT_WITH_MISSION, { as: 'name', about: 'pilot' })),
    /** group of the aircraft; empty where the source does not say */
    unit: freeText(120, quotes('marks', KEPT_WITH_MISSION, { as: 'unit' })),
    /** as the source names the type */
    aircraft: freeText(120, quotes('marks', KEPT_WITH_MISSION, { as: 'aircraft' })).nullable(),
    side: personal(p.smallint().$type<Side>().nullable(), shown('side')),
    fromAt: personal(p.datetime(), shown('fromAt')),
    toAt: personal(p.datetime(), shown('toAt')),
    tookOffAt: personal(p.datetime().nullable(), shown('tookOffAt')),
    landedAt: personal(p.datetime().nullable(), shown('landedAt')),
    createdAt: createdAt(),
  },
  // the same recording sent again adds nothing
  uniques: [{ name: 'presence_once', properties: ['mission', 'source', 'name', 'unit', 'fromAt', 'toAt'] }],
  checks: [
    { name: 'presence_source_known', expression: oneOf('source', PRESENCE_SOURCES) },
    { name: 'presence_side_known', expression: '((side >= 0) and (side <= 1))' },
    { name: 'presence_has_length', expression: 'to_at > from_at' },
  ],
});
export class Presence extends PresenceSchema.class {}
PresenceSchema.setClass(Presence);

/** A proposal made of presences for a pilot's order. It marks nothing: an admin confirms or dismisses it. */
export const AttendanceProposalSchema = defineEntity({
  name: 'AttendanceProposal',
  properties: {
    mission: () => p.manyToOne(Mission).primary().deleteRule('cascade'),
    pilot: () =>
      personal(
        p.manyToOne(User).primary().deleteRule('cascade').index('attendance_proposal_pilot_idx'),
        owner('account'),
      ),
    order: () => p.manyToOne(FragOrder).deleteRule('cascade').index('attendance_proposal_order_idx'),
    verdict: text(shown('verdict')).$type<ProposalVerdict>(),
    state: text(shown('state')).$type<ProposalState>(),
    evidence: freeJson<Evidence>(['names', 'aircraft'], own('evidence')),
    decidedBy: () => p.manyToOne(User).nullable().deleteRule('set null').index('attendance_proposal_decided_by_idx'),
    decidedAt: personal(p.datetime().nullable(), shown('decidedAt')),
    createdAt: personal(createdAt(), shown('createdAt')),
  },
  checks: [
    { name: 'attendance_proposal_verdict_known', expression: oneOf('verdict', PROPOSAL_VERDICTS) },
    { name: 'attendance_proposal_state_known', expression: oneOf('state', PROPOSAL_STATES) },
    { name: 'attendance_proposal_decided', expression: `((state = 'open'::text) = (decided_at is null))` },
  ],
});
export class AttendanceProposal extends AttendanceProposalSchema.class {}
AttendanceProposalSchema.setClass(AttendanceProposal);
