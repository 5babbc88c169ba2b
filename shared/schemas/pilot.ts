/** A pilot's status, inbox and statistics. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import { ORDER_CHANGE_FIELDS } from '#shared/mission-fields.ts';
import { ORDER_STATUS_REASONS, ORDER_STATUSES, RSVP_RESPONSES, RSVPS, STATUS_STATES } from '#shared/vocabulary.ts';
import { flagInput, idInput, instantInput, isoInstant } from './common.ts';

export const status = z.object({
  state: z.enum(STATUS_STATES),
  effectiveState: z.enum(STATUS_STATES),
  minutes: z.number().nullable(),
  expiresAt: isoInstant.nullable(),
});
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

export const stats = z.object({ totalUsers: z.number(), missionsRunning: z.number() });

/**
 * A change an admin made to a seat after its order went out. `from` and `to` are words as people read them, times in
 * Zulu (`Nov 21 1905Z`); null where there was or is none (a removed seat has no `to`).
 */
export const orderChange = z.object({
  field: z.enum(ORDER_CHANGE_FIELDS),
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type OrderChange = z.infer<typeof orderChange>;

export const fragOrder = z.object({
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
  /** since it was issued or last answered; [] when nothing */
  changes: z.array(orderChange),
  /** the last time an admin changed it, which names the state that an answer is given to; null when never */
  changedAt: isoInstant.nullable(),
});
export type FragOrderDto = z.infer<typeof fragOrder>;

/** An order with all that is needed to fly it; the accepted ones are listed so, and any one order is read so. */
export const acceptedMission = fragOrder.extend({
  totUtc: isoInstant.nullable(),
  radioFreq: z.string().nullable(),
  level: z.string(),
  notes: z.string().nullable(),
  package: z.object({
    callsign: z.string(),
    objective: z.string(),
    composition: z.array(
      z.object({
        callsign: z.string(),
        aircraftName: z.string(),
        seats: z.number(),
        radioFreq: z.string().nullable(),
        /** call signs of accepted pilots by seat index; null where nobody has accepted */
        pilots: z.array(z.string().nullable()),
      }),
    ),
  }),
});
export type AcceptedMissionDto = z.infer<typeof acceptedMission>;

export const inboxInput = z.object({ includeCompleted: flagInput.optional() });
export const inboxStatus = z.object({ hasNewOrders: z.boolean(), pendingCount: z.number() });
export const orderInput = z.object({ id: idInput });

/** "Accepted" and "accepted" are the same answer. */
export const rsvpInput = z.object({
  id: idInput,
  response: z.preprocess(
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
    z.enum(RSVP_RESPONSES, { error: copy.responseFromList }),
  ),
  /**
   * `changedAt` of the order as whoever answers has read it. Accepting one that an admin has changed since is 409; without
   * it, the order is accepted as it stands.
   */
  seen: instantInput().nullish(),
});
export type RsvpInput = z.infer<typeof rsvpInput>;
