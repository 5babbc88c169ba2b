/** Reminders of missions, and warnings of too few pilots: one row for each that was due, by which no other process sends it again. */
import { defineEntity } from '@mikro-orm/core';
import { TURNOUT_STAGES, type ReminderChannel, type TurnoutStage } from '#shared/vocabulary.ts';
import { createdAt, id, oneOf } from './base.ts';
import { p, text, texts } from './columns.ts';
import { none } from './personal.ts';
import { FragOrder } from './frag-order.ts';
import { Mission } from './mission.ts';
import { User } from './user.ts';

export const ReminderSchema = defineEntity({
  name: 'Reminder',
  properties: {
    id: id(),
    order: () => p.manyToOne(FragOrder).deleteRule('cascade').index('reminder_order_idx'),
    mission: () => p.manyToOne(Mission).deleteRule('cascade'),
    pilot: () => p.manyToOne(User).deleteRule('cascade').index('reminder_pilot_idx'),
    /** the start that it reminds of: a mission that moves is another one to remind of */
    startsAt: p.datetime(),
    leadMinutes: p.smallint(),
    /** asks "Still flying?" */
    asks: p.boolean(),
    /** those that it was handed to; empty if the pilot has none; null if a shorter lead time was due at the same time */
    channels: texts(none).$type<ReminderChannel[]>().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'reminder_once', properties: ['mission', 'pilot', 'startsAt', 'leadMinutes'] }],
});
export class Reminder extends ReminderSchema.class {}
ReminderSchema.setClass(Reminder);

export const TurnoutWarningSchema = defineEntity({
  name: 'TurnoutWarning',
  properties: {
    id: id(),
    mission: () => p.manyToOne(Mission).deleteRule('cascade'),
    /** the start that it is about: a mission that moves passes its stages again */
    startsAt: p.datetime(),
    stage: text(none).$type<TurnoutStage>(),
    /** the forecast of that moment: the chance of enough pilots from 0 to 1, and the numbers behind it */
    probability: p.double().$type<number>(),
    seats: p.smallint(),
    accepted: p.smallint(),
    enough: p.smallint(),
    /** the mission's creator, who is told; null if there are enough pilots */
    recipient: () => p.manyToOne(User).nullable().deleteRule('set null').index('turnout_warning_recipient_idx'),
    /** those that it was handed to; empty if the creator has none, or there is nothing to tell */
    channels: texts(none).$type<ReminderChannel[]>(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'turnout_warning_once', properties: ['mission', 'startsAt', 'stage'] }],
  checks: [{ name: 'turnout_warning_stage_known', expression: oneOf('stage', TURNOUT_STAGES) }],
});
export class TurnoutWarning extends TurnoutWarningSchema.class {}
TurnoutWarningSchema.setClass(TurnoutWarning);
