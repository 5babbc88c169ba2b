/** Reminders of missions: one row for each that was due, by which no other process sends it again. */
import { defineEntity, p } from '@mikro-orm/core';
import type { ReminderChannel } from '#shared/vocabulary.ts';
import { createdAt, id } from './base.ts';
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
    channels: p.array().columnType('text[]').$type<ReminderChannel[]>().nullable(),
    /** when a push service took it for the first of the pilot's devices */
    pushedAt: p.datetime().nullable(),
    /** why no push service has taken it */
    pushError: p.text().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'reminder_once', properties: ['mission', 'pilot', 'startsAt', 'leadMinutes'] }],
});
export class Reminder extends ReminderSchema.class {}
ReminderSchema.setClass(Reminder);
