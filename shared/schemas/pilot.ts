/** Schemas of a pilot's status, inbox, frag orders and the public statistics. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import { eachField, MISSION_TEXT_KEYS, ORDER_CHANGE_FIELDS } from '#shared/mission-fields.ts';
import { ORDER_STATUS_REASONS, ORDER_STATUSES, RSVP_RESPONSES, RSVPS, STATUS_STATES } from '#shared/vocabulary.ts';
import { flagInput, idInput, instantInput, isoInstant } from './common.ts';

export const status = z
  .object({
    state: z.enum(STATUS_STATES),
    effectiveState: z.enum(STATUS_STATES),
    minutes: z.number().nullable(),
    expiresAt: isoInstant.nullable(),
  })
  .meta({ id: 'Status' });
export type StatusDto = z.infer<typeof status>;

const statusFields = {
  state: z.enum(STATUS_STATES, { error: copy.stateRequired }),
  minutes: z
    .int({ error: copy.minutesRange })
    .min(STATUS_MINUTES.min, copy.minutesRange)
    .max(STATUS_MINUTES.max, copy.minutesRange)
    .nullish(),
};
type StatusFields = { state: string; minutes?: number | null | undefined };
export const hasMinutes = (form: StatusFields) => form.state !== 'now' || typeof form.minutes === 'number';
export const MINUTES_REQUIRED = { path: ['minutes'], message: copy.minutesRequired };

export const statusForm = z.object(statusFields).refine(hasMinutes, MINUTES_REQUIRED);
export const setStatusInput = z.object({ id: idInput, ...statusFields }).refine(hasMinutes, MINUTES_REQUIRED);
export const statusInput = z.object({ id: idInput });

export const stats = z.object({ totalUsers: z.number(), missionsRunning: z.number() }).meta({ id: 'Stats' });

/**
 * A change that an admin made after the order was issued. `from` and `to` are display texts, times in Zulu
 * (`Nov 21 1905Z`); null for no value (a removed pilot's seat has no `to`).
 */
export const orderChange = z
  .object({
    field: z.enum(ORDER_CHANGE_FIELDS),
    from: z.string().nullable(),
    to: z.string().nullable(),
  })
  .meta({ id: 'OrderChange' });
export type OrderChange = z.infer<typeof orderChange>;

export const fragOrder = z
  .object({
    id: z.string(),
    seq: z.number(),
    label: z.string(),
    status: z.enum(ORDER_STATUSES),
    statusReason: z.enum(ORDER_STATUS_REASONS).nullable(),
    rsvp: z.enum(RSVPS),
    missionId: z.string(),
    missionName: z.string(),
    theater: z.string(),
    startUtc: isoInstant,
    endUtc: isoInstant,
    flightCallsign: z.string(),
    aircraftName: z.string(),
    seatIndex: z.number(),
    role: z.string(),
    side: z.union([z.literal(0), z.literal(1)]),
    launchUtc: isoInstant.nullable(),
    title: z.string(),
    reasons: z.array(z.string()),
    issuedAt: isoInstant,
    expiresAt: isoInstant,
    confirmedAt: isoInstant.nullable(),
    standbyPosition: z.number().nullable(),
    /** Changes since the order was issued or last answered; empty when there are none. */
    changes: z.array(orderChange),
    /** Time of an admin's last change; identifies the version that an answer refers to. Null for an unchanged order. */
    changedAt: isoInstant.nullable(),
  })
  .meta({ id: 'FragOrder' });
export type FragOrderDto = z.infer<typeof fragOrder>;

/** A frag order with its briefing: radio, package composition, TOT, notes. */
export const acceptedMission = fragOrder
  .extend({
    totUtc: isoInstant.nullable(),
    radioFreq: z.string().nullable(),
    level: z.string(),
    /** of the flight */
    notes: z.string().nullable(),
    /** the optional texts of the mission, such as its notes */
    missionTexts: z.object(eachField(MISSION_TEXT_KEYS, () => z.string().nullable())),
    package: z.object({
      callsign: z.string(),
      objective: z.string(),
      composition: z.array(
        z.object({
          callsign: z.string(),
          aircraftName: z.string(),
          seats: z.number(),
          radioFreq: z.string().nullable(),
          /** Call signs of the accepted pilots by seat index; null for a seat without one. */
          pilots: z.array(z.string().nullable()),
        }),
      ),
    }),
  })
  .meta({ id: 'AcceptedMission' });
export type AcceptedMissionDto = z.infer<typeof acceptedMission>;

export const inboxInput = z.object({ includeCompleted: flagInput.optional() });
export const inboxStatus = z
  .object({ hasNewOrders: z.boolean(), pendingCount: z.number() })
  .meta({ id: 'InboxStatus' });
export const orderInput = z.object({ id: idInput });

/** `response` is case-insensitive: "Accepted" and "accepted" are the same answer. */
export const rsvpInput = z.object({
  id: idInput,
  response: z.preprocess(
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
    z.enum(RSVP_RESPONSES, { error: copy.responseFromList }),
  ),
  /**
   * `changedAt` of the order that the pilot has read. Accepting an order that an admin has changed since is refused (409);
   * without `seen`, the current order is accepted.
   */
  seen: instantInput().nullish(),
});
export type RsvpInput = z.infer<typeof rsvpInput>;
