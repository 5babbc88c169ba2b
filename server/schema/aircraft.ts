/** Aircraft types and the pilots' proficiency in them. */
import { defineEntity } from '@mikro-orm/core';
import { PROFICIENCY_LEVELS, type MissionRole, type ProficiencyLevel } from '#shared/vocabulary.ts';
import { changedAt, oneOf } from './base.ts';
import { freeText, p, text, texts } from './columns.ts';
import { none, own, owner, personal, shown } from './personal.ts';
import { rosterTriggers } from './roster-triggers.ts';
import { User } from './user.ts';

export const AircraftSchema = defineEntity({
  name: 'Aircraft',
  properties: {
    /** our own number, which never changes; those of the community's own types start at 1,001 (`AIRCRAFT`) */
    id: p.smallint().primary().autoincrement(false),
    code: freeText(40, none),
    name: freeText(80, none),
    seats: p.smallint(),
    roles: texts(none).$type<MissionRole[]>(),
    active: p.boolean().default(true),
  },
  // upper and lower case are the same, since people tell types apart by them
  indexes: [
    { name: 'aircraft_code_key', expression: 'create unique index "aircraft_code_key" on "aircraft" (lower("code"))' },
    { name: 'aircraft_name_key', expression: 'create unique index "aircraft_name_key" on "aircraft" (lower("name"))' },
  ],
});
export class Aircraft extends AircraftSchema.class {}
AircraftSchema.setClass(Aircraft);

export const ProficiencySchema = defineEntity({
  name: 'Proficiency',
  properties: {
    user: () => personal(p.manyToOne(User).primary().deleteRule('cascade'), owner('account')),
    aircraft: () => p.manyToOne(Aircraft).primary(),
    level: text(own('level')).$type<ProficiencyLevel>(),
    /** set by an admin: only an admin can change it */
    setByAdmin: personal(p.boolean().default(false), shown('setByAdmin')),
    updatedAt: changedAt(),
  },
  checks: [{ name: 'proficiency_level_known', expression: oneOf('level', PROFICIENCY_LEVELS) }],
  triggers: rosterTriggers('proficiency', "note_roster_change('user_id')"),
});
export class Proficiency extends ProficiencySchema.class {}
ProficiencySchema.setClass(Proficiency);
