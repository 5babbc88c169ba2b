/** Availability tables: weekly templates, dated exceptions, leaves and busy calendars. Dates and wall times are the pilot's own. */
import { defineEntity } from '@mikro-orm/core';
import { CALENDAR_PROBLEMS, type CalendarProblem } from '#shared/calendar-problems.ts';
import { OVERRIDE_KINDS, type OverrideKind } from '#shared/vocabulary.ts';
import { Aircraft } from './aircraft.ts';
import { changedAt, createdAt, id, oneOf } from './base.ts';
import { freeText, intRanges, p, text, transactionId } from './columns.ts';
import { none, own, owner, personal, shown } from './personal.ts';
import { rosterTriggers } from './roster-triggers.ts';
import { User } from './user.ts';

export const AvailabilityTemplateSchema = defineEntity({
  name: 'AvailabilityTemplate',
  properties: {
    id: id(),
    user: () =>
      personal(p.manyToOne(User).deleteRule('cascade').index('availability_template_user_idx'), owner('account')),
    name: freeText(200, own('name')),
    isActive: personal(p.boolean(), shown('isActive')),
    slots: () => p.oneToMany(AvailabilitySlot).mappedBy('template').orphanRemoval(),
    createdAt: createdAt(),
    updatedAt: changedAt(),
  },
  uniques: [
    {
      name: 'availability_template_one_active',
      expression:
        'create unique index "availability_template_one_active" on "availability_template" ("user_id") where is_active',
    },
  ],
  triggers: rosterTriggers('availability_template', "note_roster_change('user_id')"),
});
export class AvailabilityTemplate extends AvailabilityTemplateSchema.class {}

const WALL_TIME = `~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text`;

export const AvailabilitySlotSchema = defineEntity({
  name: 'AvailabilitySlot',
  properties: {
    id: id(),
    template: () =>
      personal(
        p.manyToOne(AvailabilityTemplate).deleteRule('cascade').index('availability_slot_template_idx'),
        owner('parent'),
      ),
    weekday: personal(p.smallint(), shown('weekday')), // 0 = Sunday
    startLocal: text(own('startLocal')),
    /** an end before startLocal is on the next day */
    endLocal: text(own('endLocal')),
    /** null: any aircraft */
    aircraft: () => p.manyToOne(Aircraft).nullable(),
    notes: freeText(2000, own('notes')).nullable(),
  },
  checks: [
    { name: 'availability_slot_weekday_range', expression: '((weekday >= 0) and (weekday <= 6))' },
    {
      name: 'availability_slot_wall_times',
      expression: `start_local ${WALL_TIME} and end_local ${WALL_TIME} and start_local <> end_local`,
    },
  ],
  triggers: rosterTriggers('availability_slot', 'note_roster_slot_change()'),
});
export class AvailabilitySlot extends AvailabilitySlotSchema.class {}
AvailabilitySlotSchema.setClass(AvailabilitySlot);
AvailabilityTemplateSchema.setClass(AvailabilityTemplate);

export const AvailabilityOverrideSchema = defineEntity({
  name: 'AvailabilityOverride',
  properties: {
    id: id(),
    user: () => personal(p.manyToOne(User).deleteRule('cascade'), owner('account')),
    dateLocal: personal(p.date().$type<string>(), shown('dateLocal')),
    kind: text(own('kind')).$type<OverrideKind>(),
    startLocal: text(own('startLocal')),
    endLocal: text(own('endLocal')),
    aircraft: () => p.manyToOne(Aircraft).nullable(),
    notes: freeText(2000, own('notes')).nullable(),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'availability_override_user_date_idx', properties: ['user', 'dateLocal'] }],
  checks: [
    { name: 'availability_override_kind_known', expression: oneOf('kind', OVERRIDE_KINDS) },
    {
      // midnight to midnight is the whole day; no other time may be both start and end
      name: 'availability_override_wall_times',
      expression: `start_local ${WALL_TIME} and end_local ${WALL_TIME} and (start_local <> end_local or start_local = '00:00'::text)`,
    },
  ],
  triggers: rosterTriggers('availability_override', "note_roster_change('user_id')"),
});
export class AvailabilityOverride extends AvailabilityOverrideSchema.class {}
AvailabilityOverrideSchema.setClass(AvailabilityOverride);

/** A leave of absence: dates on which a pilot is never asked to fly. Each pilot has at most one, now or later. */
export const LeaveSchema = defineEntity({
  name: 'Leave',
  properties: {
    user: () => personal(p.oneToOne(User).owner().primary().deleteRule('cascade'), owner('account')),
    firstDate: personal(p.date().$type<string>(), shown('firstDate')),
    lastDate: personal(p.date().$type<string>(), shown('lastDate')),
    /** for the pilot and admins */
    reason: freeText(200, own('reason')).nullable(),
    updatedAt: changedAt(),
  },
  checks: [{ name: 'leave_dates_in_order', expression: '(first_date <= last_date)' }],
  triggers: rosterTriggers('leave', "note_roster_change('user_id')"),
});
export class Leave extends LeaveSchema.class {}
LeaveSchema.setClass(Leave);

/** A calendar of a pilot, elsewhere, whose busy times take away from the weekly ones. */
export const BusyCalendarSchema = defineEntity({
  name: 'BusyCalendar',
  properties: {
    id: id(),
    user: () => personal(p.manyToOne(User).deleteRule('cascade').index('busy_calendar_user_idx'), owner('account')),
    name: freeText(60, own('name')).nullable(),
    /** the secret address, encrypted: reading the table is not enough to read the calendar */
    sealedUrl: text(none),
    /** what pilots see of the address: the host and its end */
    shownUrl: text(own('address')),
    countsWholeDays: personal(p.boolean(), shown('countsWholeDays')),
    /** of the last answer: what a server is asked to compare, and what is compared here */
    etag: text(none).nullable(),
    lastModified: text(none).nullable(),
    contentHash: text(none).nullable(),
    /** the pilot's when it was last asked for: whole days, and times without a zone, are in it */
    timeZone: text(none),
    /** the last answer, also one that nothing has changed; null before the first */
    readAt: personal(p.datetime().nullable(), shown('readAt')),
    /** until when its times are known */
    knownUntil: p.datetime().nullable(),
    /** busy times that are known, and events that were not understood, at the last answer */
    events: p.integer().default(0),
    unread: p.integer().default(0),
    /** since the last answer */
    failures: p.smallint().default(0),
    failingSince: p.datetime().nullable(),
    problem: text(none).$type<CalendarProblem>().nullable(),
    /** when it is asked for next */
    dueAt: p.datetime().index('busy_calendar_due_idx'),
    createdAt: personal(createdAt(), shown('createdAt')),
  },
  checks: [
    { name: 'busy_calendar_problem_known', expression: oneOf('problem', CALENDAR_PROBLEMS) },
    { name: 'busy_calendar_failing', expression: '((problem is null) = (failing_since is null))' },
  ],
});
export class BusyCalendar extends BusyCalendarSchema.class {}
BusyCalendarSchema.setClass(BusyCalendar);

/** The busy times of a calendar, without anything else about them. A table of its own, because only they concern the roster. */
export const BusyTimeSchema = defineEntity({
  name: 'BusyTime',
  properties: {
    calendar: () => personal(p.oneToOne(BusyCalendar).owner().primary().deleteRule('cascade'), owner('parent')),
    /** the pilot of the calendar, whom the triggers name */
    user: () => p.manyToOne(User).deleteRule('cascade').index('busy_time_user_idx'),
    /** minutes since 1970-01-01 UTC */
    minutes: intRanges(own(null)),
  },
  triggers: rosterTriggers('busy_time', "note_roster_change('user_id')"),
});
export class BusyTime extends BusyTimeSchema.class {}
BusyTimeSchema.setClass(BusyTime);

/**
 * A pilot whose times may have changed: availability, leave, status, aircraft list, seats or account. Triggers write these
 * rows in the transaction of the change; every process finds by them what it has to read again.
 */
export const RosterChangeSchema = defineEntity({
  name: 'RosterChange',
  properties: {
    id: p.bigint().$type<string>().primary().autoincrement(),
    /** not a reference: the account may be gone */
    userId: p.uuid(),
    /** the transaction, to tell whether a reader has seen it */
    xid: transactionId().defaultRaw('pg_current_xact_id()'),
    changedAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    { name: 'roster_change_xid_idx', properties: ['xid'] },
    { name: 'roster_change_age_idx', properties: ['changedAt'] },
  ],
});
export class RosterChange extends RosterChangeSchema.class {}
RosterChangeSchema.setClass(RosterChange);
