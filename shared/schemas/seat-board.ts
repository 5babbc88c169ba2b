/** Schemas of the seat board of a mission: its seats, the pilots who could take them, and changes that are applied together. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { FLIGHT_SIZE_MAX, LISTED_MAX, MISSION_SEATS_MAX } from '#shared/limits.ts';
import { refusalCode } from '#shared/refusals.ts';
import { BENCH_GROUPS } from '#shared/bench-groups.ts';
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import { aircraftId, count, flagInput, idInput, rowId, safeText, seatIndex } from './common.ts';
import { missionId, pilotId, pilotName } from './mission-admin.ts';

const flightId = rowId.meta({ description: 'Id of the flight.' });
const version = z.string().meta({
  description: 'Version of the seats: it changes with every holder and every answer.',
  examples: ['k3Zq8fPw'],
});

export const seatBoardInput = z.object({
  id: missionId,
  query: safeText(200)
    .optional()
    .meta({ description: 'Only pilots on the bench whose call sign contains this text.', examples: ['after'] }),
});

const boardSeat = z
  .object({
    flightId,
    seatIndex,
    userId: pilotId.nullable().meta({ description: 'Id of the pilot who holds the seat; null for an open one.' }),
    state: z.enum(['open', 'asked', 'accepted', 'confirmed']).meta({
      description: '`asked` waits for an answer, `confirmed` has said that they are still flying.',
    }),
  })
  .meta({ id: 'BoardSeat', description: 'A seat of a mission.' });
export type BoardSeatDto = z.infer<typeof boardSeat>;

const boardPilot = z
  .object({
    userId: pilotId,
    userDisplayName: pilotName,
    group: z.enum(BENCH_GROUPS).meta({
      description:
        '`seated`, or for the bench: free in an aircraft of the mission (`fits`), in others only (`otherAircraft`), for most of the mission (`nearlyFree`), waiting for a seat (`standby`), or none of these.',
    }),
    aircraft: z
      .array(
        z.object({
          aircraftId,
          level: z.enum(PROFICIENCY_LEVELS).nullable().meta({ description: 'Null for an aircraft not on the list.' }),
          isFree: z.boolean().meta({ description: 'True if the pilot is free in it for the whole mission.' }),
        }),
      )
      .meta({ description: 'Aircraft of the mission that the pilot lists or is free in.' }),
    reliability: z
      .number()
      .min(0)
      .max(1)
      .meta({
        description: 'From 0, never turns up, to 1, always does.',
        examples: [0.92],
      }),
    isAssignable: z.boolean().meta({
      description: 'False for pilots who are on leave or in another mission at that time; admins cannot override this.',
    }),
    standbyPosition: z.int().nullable().meta({ description: 'Place in the standby queue; null outside it.' }),
    sentence: z
      .string()
      .nullable()
      .meta({
        description: 'Why the pilot has no seat; null for pilots with one and those who fit.',
        examples: ['Afterglow is not available from 2100Z to 2200Z.'],
      }),
  })
  .meta({ id: 'BoardPilot', description: 'A pilot on the seat board of a mission.' });
export type BoardPilotDto = z.infer<typeof boardPilot>;

export const seatBoard = z
  .object({
    version,
    seats: z.array(boardSeat).meta({ description: 'All seats, in the order of the flights.' }),
    pilots: z
      .array(boardPilot)
      .meta({ description: `Pilots with a seat, then the bench by name, of each group at most ${LISTED_MAX.bench}.` }),
  })
  .meta({ id: 'SeatBoard', description: 'The seats of a mission and the pilots for them.' });
export type SeatBoardDto = z.infer<typeof seatBoard>;

const seatTarget = z.object({
  flightId: idInput.meta({ description: 'Id of the flight.' }),
  seatIndex: z
    .int({ error: copy.seatUnknown })
    .min(0, copy.seatUnknown)
    .max(FLIGHT_SIZE_MAX - 1, copy.seatUnknown)
    .meta({ description: 'Seat in the flight, from 0 (the lead).', examples: [0] }),
});

/** Where pilots sit after the changes. Pilots who are not named stay where they are. */
export const applySeatsInput = z.object({
  id: missionId,
  version: z
    .string()
    .max(2_000)
    .optional()
    .meta({
      description: 'Version of the board that the changes were made on; an older one is refused (409).',
      examples: ['k3Zq8fPw'],
    }),
  dryRun: flagInput.optional().meta({
    description: 'True to change nothing, and to list refusals instead of failing with the first.',
    default: false,
  }),
  changes: z
    .array(
      z.object({
        userId: idInput.meta({ description: 'Id of the pilot.' }),
        to: seatTarget.nullable().meta({ description: "The pilot's seat after the change; null for none." }),
        anyway: flagInput.optional().meta({
          description: 'True to ask a pilot who is not free, or not in this aircraft.',
          default: false,
        }),
      }),
      { error: copy.invalidInput },
    )
    .min(1, copy.invalidInput)
    .max(MISSION_SEATS_MAX, copy.invalidInput)
    .refine((changes) => new Set(changes.map(({ userId }) => userId)).size === changes.length, copy.boardPilotTwice)
    .refine((changes) => {
      const seats = changes.flatMap(({ to }) => (to ? [`${to.flightId}:${to.seatIndex}`] : []));
      return new Set(seats).size === seats.length;
    }, copy.boardSeatTwice)
    .meta({ description: 'One change for each pilot. A pilot whose seat another one gets needs a change as well.' }),
});
export type ApplySeatsInput = z.infer<typeof applySeatsInput>;

const place = z.string().nullable();
const seatChange = z
  .object({
    userId: pilotId,
    userDisplayName: pilotName,
    from: place.meta({ description: 'Seat before; null without one.', examples: ['VIPER 1, seat 2'] }),
    to: place.meta({ description: 'Seat afterwards; null without one.', examples: ['VIPER 1, seat 1'] }),
    told: z.enum(['asked', 'askedAgain', 'moved', 'removed']).nullable().meta({
      description:
        'What the pilot is told: a new order, one that needs a new answer, news of it, or its end; null for nothing.',
    }),
    warnings: z.array(z.string()).meta({
      description: 'Warnings for the admin, as sentences.',
      examples: [['Afterglow is at basic level in the F-16C Viper.']],
    }),
    refusal: z
      .object({
        code: refusalCode.meta({ description: 'Code of the refusal; `NOT_ELIGIBLE` can be overridden with `anyway`.' }),
        message: z.string().meta({ description: 'The same as a sentence.' }),
      })
      .nullable()
      .meta({ description: 'Why the change is not possible; null if it is.' }),
  })
  .meta({ id: 'SeatChange', description: 'A change of the seat board, and what it means for its pilot.' });
export type SeatChangeDto = z.infer<typeof seatChange>;

export const appliedSeats = z
  .object({
    version,
    isApplied: z.boolean().meta({ description: 'False for a dry run.' }),
    changes: z.array(seatChange).meta({ description: 'One for each change of the request, in its order.' }),
    notified: count.meta({ description: 'Pilots of the changes who are told.', examples: [2] }),
    backfill: z
      .array(
        z.object({
          userId: pilotId,
          userDisplayName: pilotName,
          place: z.string().meta({ description: 'The seat.', examples: ['VIPER 1, seat 2'] }),
          kind: z.enum(['seat', 'order', 'shared']).meta({
            description: '`seat`: seated from standby; `order`: asked; `shared`: asked together with others.',
          }),
        }),
      )
      .meta({ description: 'Pilots who are offered the seats that become free; empty when a change is refused.' }),
  })
  .meta({ id: 'AppliedSeats', description: 'Changes of the seat board, and what follows from them.' });
export type AppliedSeatsDto = z.infer<typeof appliedSeats>;
