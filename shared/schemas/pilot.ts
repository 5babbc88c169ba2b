/** Schemas of a pilot's status, inbox, frag orders and the public statistics. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import { eachField, MISSION_TEXT_KEYS, MISSION_TEXTS, ORDER_CHANGE_FIELDS } from '#shared/mission-fields.ts';
import { missionLinks } from './mission-links.ts';
import {
  ORDER_STATUS_REASONS,
  ORDER_STATUSES,
  PROFICIENCY_LEVELS,
  RSVP_RESPONSES,
  RSVPS,
  STATUS_STATES,
} from '#shared/vocabulary.ts';
import {
  count,
  flagInput,
  idInput,
  instantInput,
  isoInstant,
  radioFrequency,
  rowId,
  seatIndex,
  side,
} from './common.ts';

const pilotId = idInput.meta({ description: 'Id of the pilot.' });
const orderId = idInput.meta({ description: 'Id of the order.' });

export const status = z
  .object({
    state: z.enum(STATUS_STATES).meta({
      description: 'The state that the pilot chose: `available` as usual, `dnd` do not disturb, `now` free right now.',
    }),
    effectiveState: z
      .enum(STATUS_STATES)
      .meta({ description: 'The state that counts: `available` after `expiresAt`.' }),
    minutes: count
      .nullable()
      .meta({ description: 'Chosen length of `now` in minutes; null otherwise.', examples: [60] }),
    expiresAt: isoInstant.nullable().meta({ description: 'Time at which the state ends; null when it does not.' }),
  })
  .meta({ id: 'Status', description: "A pilot's status, the stoplight of the site." });
export type StatusDto = z.infer<typeof status>;

const statusFields = {
  state: z.enum(STATUS_STATES, { error: copy.stateRequired }).meta({
    description: '`available` as usual, `dnd` do not disturb, `now` free right now for some minutes.',
  }),
  minutes: z
    .int({ error: copy.minutesRange })
    .min(STATUS_MINUTES.min, copy.minutesRange)
    .max(STATUS_MINUTES.max, copy.minutesRange)
    .nullish()
    .meta({ description: 'Length of `now` in minutes; required for `now`, ignored otherwise.', examples: [60] }),
};
type StatusFields = { state: string; minutes?: number | null | undefined };
export const hasMinutes = (form: StatusFields) => form.state !== 'now' || typeof form.minutes === 'number';
export const MINUTES_REQUIRED = { path: ['minutes'], message: copy.minutesRequired };

export const statusForm = z.object(statusFields).refine(hasMinutes, MINUTES_REQUIRED);
export const setStatusInput = z.object({ id: pilotId, ...statusFields }).refine(hasMinutes, MINUTES_REQUIRED);
export const statusInput = z.object({ id: pilotId });

export const stats = z
  .object({
    totalUsers: count.meta({ description: 'Registered pilots.', examples: [41] }),
    missionsRunning: count.meta({ description: 'Missions that are under way.', examples: [1] }),
  })
  .meta({ id: 'Stats', description: 'Public figures.' });

export const orderChange = z
  .object({
    field: z.enum(ORDER_CHANGE_FIELDS).meta({ description: 'What has changed.' }),
    from: z
      .string()
      .nullable()
      .meta({
        description: 'The value before, as text with times in Zulu; null for none.',
        examples: ['Nov 21 1905Z'],
      }),
    to: z
      .string()
      .nullable()
      .meta({
        description: 'The value after; null for none, such as a seat that was removed.',
        examples: ['Nov 21 1935Z'],
      }),
  })
  .meta({ id: 'OrderChange', description: 'A change that an admin made after the order was issued.' });
export type OrderChange = z.infer<typeof orderChange>;

/** The number of an order, for programs and for people. */
export const orderNumber = {
  seq: z
    .int()
    .min(1)
    .meta({ description: 'Number of the order.', examples: [42] }),
  label: z.string().meta({ description: 'Number as people read it.', examples: ['FRAG-042'] }),
};

export const holdsSeat = z.boolean().meta({
  description: 'True when the order holds its seat: accepted, or pending and not offered to others too.',
});

export const fragOrder = z
  .object({
    id: rowId.meta({ description: 'Id of the order.' }),
    ...orderNumber,
    status: z.enum(ORDER_STATUSES).meta({ description: '`issued` is in force, `cancelled` has ended.' }),
    statusReason: z
      .enum(ORDER_STATUS_REASONS)
      .nullable()
      .meta({ description: 'Why the order ended; null while in force.' }),
    rsvp: z.enum(RSVPS).meta({ description: "The pilot's answer; `pending` before there is one." }),
    missionId: rowId.meta({ description: 'Id of the mission.' }),
    missionName: z.string().meta({ description: 'Name of the mission.', examples: ['Iron Anvil'] }),
    isPractice: z
      .boolean()
      .meta({ description: "True for the order of an admin's practice mission, which counts nowhere." }),
    theater: z.string().meta({ description: 'Theater of the mission.', examples: ['Syria'] }),
    startUtc: isoInstant.meta({ description: 'Start of the mission: the briefing.' }),
    endUtc: isoInstant.meta({ description: 'End of the mission.' }),
    flightCallsign: z.string().meta({ description: 'Callsign of the flight.', examples: ['Viper 1'] }),
    aircraftName: z.string().meta({ description: 'Aircraft of the flight.', examples: ['F-16C Viper'] }),
    seatIndex,
    role: z.string().meta({ description: 'Role of the flight.', examples: ['SEAD'] }),
    side,
    launchUtc: isoInstant.nullable().meta({ description: 'Launch of the flight; null while unknown.' }),
    title: z.string().meta({ description: 'Role, aircraft and seat.', examples: ['SEAD, F-16C Viper, seat 1'] }),
    reasons: z.array(z.string()).meta({
      description: 'Why this pilot was chosen, as sentences to the pilot.',
      examples: [['You are free from 1800Z to 2100Z.', "You're an expert in the F-16C Viper."]],
    }),
    issuedAt: isoInstant.meta({ description: 'Time at which the order was issued.' }),
    expiresAt: isoInstant.meta({ description: 'Time until which it waits for an answer.' }),
    confirmedAt: isoInstant.nullable().meta({
      description:
        'Time at which the pilot confirmed the accepted seat ("Still flying?"); null before, and again once the seat is given back, or has to be accepted again.',
    }),
    asksConfirmation: z
      .boolean()
      .meta({ description: 'True from a day before the start while the pilot is asked to confirm the seat.' }),
    standbyPosition: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Place in the queue of an order on standby; null otherwise.', examples: [2] }),
    changes: z
      .array(orderChange)
      .meta({ description: 'Changes since the order was issued or last answered; empty when there are none.' }),
    changedAt: isoInstant.nullable().meta({
      description:
        "Time of an admin's last change, which identifies the version that an answer refers to. Null for an unchanged order.",
    }),
  })
  .meta({ id: 'FragOrder', description: 'A frag order: a seat in a mission, offered to one pilot.' });
export type FragOrderDto = z.infer<typeof fragOrder>;

/** A frag order with its briefing: radio, package composition, TOT, notes. */
export const acceptedMission = fragOrder
  .extend({
    totUtc: isoInstant.nullable().meta({ description: 'Time on target of the flight; null while unknown.' }),
    radioFreq: radioFrequency.nullable(),
    level: z.enum(PROFICIENCY_LEVELS).meta({ description: "The pilot's level in the aircraft." }),
    notes: z
      .string()
      .nullable()
      .meta({ description: 'Notes of the flight, in Markdown; null without any.', examples: ['Tanker on 251.000'] }),
    missionTexts: z
      .object(
        eachField(MISSION_TEXT_KEYS, (key) =>
          z
            .string()
            .nullable()
            .meta({ description: `${MISSION_TEXTS[key].words} of the mission, in Markdown; null without any.` }),
        ),
      )
      .meta({ description: 'Optional texts of the mission.' }),
    links: missionLinks,
    package: z
      .object({
        callsign: z.string().meta({ description: 'Callsign of the package.', examples: ['ALPHA'] }),
        objective: z
          .string()
          .meta({ description: 'What the package does, and where.', examples: ['SEAD/Strike, Syria'] }),
        composition: z
          .array(
            z.object({
              callsign: z.string().meta({ description: 'Callsign of the flight.', examples: ['Viper 1'] }),
              aircraftName: z.string().meta({ description: 'Aircraft of the flight.', examples: ['F-16C Viper'] }),
              seats: count.meta({ description: 'Seats of the flight.', examples: [4] }),
              radioFreq: radioFrequency.nullable(),
              pilots: z.array(z.string().nullable()).meta({
                description: 'Call signs of the accepted pilots by seat; null for a seat without one.',
                examples: [['Afterglow', null]],
              }),
            }),
          )
          .meta({ description: 'Flights of the package.' }),
      })
      .meta({ description: 'The package that the flight belongs to.' }),
  })
  .meta({
    id: 'AcceptedMission',
    description: 'A frag order with its briefing: radio, package, time on target, notes.',
  });
export type AcceptedMissionDto = z.infer<typeof acceptedMission>;

export const inboxInput = z.object({
  includeCompleted: flagInput
    .optional()
    .meta({ description: 'True to list also orders that ended in the last 30 days.', default: false }),
});
export const inboxStatus = z
  .object({
    hasNewOrders: z
      .boolean()
      .meta({ description: 'True when an order was issued or changed since the inbox was last read.' }),
    pendingCount: count.meta({ description: 'Orders that wait for an answer.', examples: [1] }),
  })
  .meta({ id: 'InboxStatus', description: 'Whether there is something new in the inbox.' });
export const orderInput = z.object({ id: orderId });

/** `response` is case-insensitive: "Accepted" and "accepted" are the same answer. */
export const rsvpInput = z.object({
  id: orderId,
  response: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.toLowerCase() : value),
      z.enum(RSVP_RESPONSES, { error: copy.responseFromList }),
    )
    .meta({ description: 'The answer. Upper and lower case are the same.', examples: ['accepted'] }),
  seen: instantInput().nullish().meta({
    description:
      '`changedAt` of the order that the pilot has read. An acceptance is refused (409) if an admin has changed the order since. Without it, the current order is accepted.',
  }),
});
export type RsvpInput = z.infer<typeof rsvpInput>;
