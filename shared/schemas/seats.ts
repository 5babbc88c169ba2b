/** Schemas of open seats that pilots can take, and of seat swaps between two pilots. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { FLIGHT_SIZE_MAX } from '#shared/limits.ts';
import { SWAP_STATES, INELIGIBILITY_REASONS, SEAT_FIXES, STANDBY_CHOICES, type SeatFix } from '#shared/vocabulary.ts';
import { flagInput, idInput, isoInstant, rowId, seatIndex, side } from './common.ts';

const openMission = {
  missionId: rowId.meta({ description: 'Id of the mission.' }),
  missionName: z.string().meta({ description: 'Name of the mission.', examples: ['Iron Anvil'] }),
  theater: z.string().meta({ description: 'Theater of the mission.', examples: ['Syria'] }),
  startUtc: isoInstant.meta({ description: 'Start of the mission.' }),
  endUtc: isoInstant.meta({ description: 'End of the mission.' }),
};

const place = {
  flightId: rowId.meta({ description: 'Id of the flight.' }),
  flightCallsign: z.string().meta({ description: 'Callsign of the flight.', examples: ['Viper 1'] }),
  seatIndex,
  aircraftName: z.string().meta({ description: 'Aircraft of the flight.', examples: ['F-16C Viper'] }),
  role: z.string().meta({ description: 'Role of the flight.', examples: ['SEAD'] }),
  side,
};
const seat = z.object(place).meta({ id: 'Seat', description: 'A seat of a flight.' });

const isListed = z.boolean().meta({ description: "False if the aircraft is not on the pilot's list." });

const openSeat = z
  .object({
    ...place,
    launchUtc: isoInstant.nullable().meta({ description: 'Launch of the flight; null while unknown.' }),
    isLead: z.boolean().meta({ description: 'True for the seat that leads the flight.' }),
    isListed,
  })
  .meta({ id: 'OpenSeat', description: 'A seat that the pilot may take.' });

const nearMiss = z
  .object({
    missing: z
      .array(
        z.object({
          startUtc: isoInstant.meta({ description: 'Start of the part.' }),
          endUtc: isoInstant.meta({ description: 'End of the part.' }),
        }),
      )
      .meta({ description: 'Parts of the mission for which the pilot is not available, in order.' }),
    seats: z.array(openSeat).meta({
      description: 'Free seats in board order. Taking one with `addAvailability` also adds the missing parts.',
    }),
  })
  .meta({ id: 'NearMiss', description: 'A mission that the pilot misses by a short part of the time.' });

const remedy = {
  fixes: z.array(z.enum(SEAT_FIXES)).meta({
    description: 'What has to change, by the names of the fields of the call. Empty where nothing has to.',
  }),
  missing: z
    .array(
      z.object({
        startUtc: isoInstant.meta({ description: 'Start of the part.' }),
        endUtc: isoInstant.meta({ description: 'End of the part.' }),
      }),
    )
    .meta({ description: 'Parts of the mission for which `addAvailability` adds dated availability, in order.' }),
};

const flyAnyway = z
  .object({
    seats: z
      .array(openSeat.extend(remedy).meta({ id: 'FixableSeat', description: 'A free seat that fits after changes.' }))
      .meta({ description: 'Free seats in board order, each with what has to change before the pilot takes it.' }),
    standby: z
      .object({ ...remedy, aircraftName: place.aircraftName })
      .nullable()
      .meta({ description: 'What has to change before the pilot stands by, where no seat is free; null otherwise.' }),
  })
  .meta({ id: 'FlyAnyway', description: "Changes of the pilot's own data that open a mission." });
export type FlyAnywayDto = z.infer<typeof flyAnyway>;
export type RemedyDto = Pick<FlyAnywayDto['seats'][number], 'fixes' | 'missing'>;

const withdraws = z.array(z.string()).meta({
  description:
    "Names of missions whose pending offers to the pilot are at this mission's time: taking a seat declines them.",
  examples: [['Iron Anvil']],
});

export const openings = z
  .object({
    open: z
      .array(
        z.object({
          ...openMission,
          withdraws,
          seats: z.array(openSeat).meta({
            description:
              'Free seats in board order, without those in aircraft that the pilot does not fly. A pilot who lists no aircraft may fly all.',
          }),
        }),
      )
      .meta({ description: 'Upcoming missions with a free seat that this pilot may take, the soonest first.' }),
    closed: z
      .array(
        z.object({
          ...openMission,
          reason: z.enum(INELIGIBILITY_REASONS).meta({ description: 'Why the pilot cannot take a seat.' }),
          sentence: z.string().meta({
            description: 'The reason as a sentence to the pilot.',
            examples: ['You are not available from Nov 21 2000Z to Nov 21 2100Z.'],
          }),
          withdraws,
          committedTo: z
            .object({
              missionId: rowId.meta({ description: 'Id of the mission.' }),
              missionName: openMission.missionName,
            })
            .nullable()
            .meta({ description: 'The mission with the accepted seat, for the reason `COMMITTED`; null otherwise.' }),
          flyAnyway: flyAnyway.nullable().meta({
            description: 'How the pilot can fly it anyway; null if no change of the own data would open it.',
          }),
          nearMiss: nearMiss.nullable().meta({
            description: 'What the pilot lacks for a seat, if it is only a short part of the time; null otherwise.',
          }),
          standby: z.enum(STANDBY_CHOICES).nullable().meta({
            description:
              '`open`: only other pilots are the reason, so the pilot may join the standby queue; `joined`: the pilot is on standby. Null otherwise.',
          }),
        }),
      )
      .meta({ description: 'Upcoming missions without a seat for this pilot, and why.' }),
  })
  .meta({ id: 'Openings', description: 'Upcoming missions, with and without a seat for the pilot.' });
export type OpeningsDto = z.infer<typeof openings>;

const FIX_MEANINGS: Record<SeatFix, string> = {
  addAvailability: 'True to add dated availability for the parts of the mission that lack.',
  addAircraft: "True to add the seat's aircraft to the caller's list, if it is missing.",
  endLeave: "True to end the caller's leave, if the mission falls in it.",
  endDoNotDisturb: 'True to end Do Not Disturb, if it keeps the caller out.',
};
const fix = (name: SeatFix) => flagInput.optional().meta({ description: FIX_MEANINGS[name], default: false });
/** The changes that the call may make in the same transaction; all of it or nothing. */
const fixes = {
  addAvailability: fix('addAvailability'),
  addAircraft: fix('addAircraft'),
  endLeave: fix('endLeave'),
  endDoNotDisturb: fix('endDoNotDisturb'),
} satisfies Record<SeatFix, unknown>;
export type SeatFixesInput = { [F in SeatFix]?: boolean | undefined };

export const takeSeatInput = z.object({
  missionId: idInput.meta({ description: 'Id of the mission.' }),
  flightId: idInput.meta({ description: 'Id of the flight.' }),
  seatIndex: z
    .int({ error: copy.seatUnknown })
    .min(0, copy.seatUnknown)
    .max(FLIGHT_SIZE_MAX - 1, copy.seatUnknown)
    .meta({ description: 'Seat in the flight, from 0 (the lead).', examples: [0] }),
  ...fixes,
});

export const standbyInput = z.object({ id: idInput.meta({ description: 'Id of the mission.' }) });
export const joinStandbyInput = standbyInput.extend(fixes);

const ownOrderId = idInput.meta({ description: "Id of the pilot's own accepted order." });
const swapId = idInput.meta({ description: 'Id of the swap.' });

export const swapPartnersInput = z.object({ id: ownOrderId });
const swapPartner = z
  .object({
    orderId: rowId.meta({ description: "Id of the other pilot's order." }),
    pilotName: z.string().meta({ description: 'Call sign of the other pilot.', examples: ['Afterglow'] }),
    ...place,
    isListed,
  })
  .meta({ id: 'SwapPartner', description: 'An accepted seat that could be swapped with.' });
/** Accepted seats in the same mission that the pilot could swap with: each can fly the other's aircraft. In board order. */
export const swapPartners = z.array(swapPartner);
export type SwapPartnerDto = z.infer<typeof swapPartner>;

export const proposeSwapInput = z.object({
  id: ownOrderId,
  withOrderId: idInput.meta({ description: '`orderId` of the seat to swap with.' }),
});
export const swapInput = z.object({ id: swapId });
export const answerSwapInput = z.object({
  id: swapId,
  response: z.enum(['agreed', 'declined'], { error: copy.swapResponseFromList }).meta({ description: 'The answer.' }),
});

export const seatSwap = z
  .object({
    id: rowId.meta({ description: 'Id of the swap.' }),
    ...openMission,
    state: z.enum(SWAP_STATES).meta({
      description: '`lapsed`: one of the seats changed hands, or there was no answer in time.',
    }),
    pilotName: z.string().meta({ description: 'Call sign of the other pilot.', examples: ['Afterglow'] }),
    orderId: rowId.meta({ description: "Id of the caller's own order." }),
    isMine: z.boolean().meta({ description: 'True when the caller proposed the swap.' }),
    from: seat.meta({ description: "The caller's current seat." }),
    to: seat.meta({ description: "The caller's seat after the swap." }),
    isListed: z.boolean().meta({ description: "False if the aircraft of `to` is not on the caller's list." }),
    expiresAt: isoInstant.meta({ description: 'Time until which it can be answered.' }),
  })
  .meta({ id: 'SeatSwap', description: 'A swap of seats between two pilots, as the caller sees it.' });
export type SeatSwapDto = z.infer<typeof seatSwap>;
/** Swaps in upcoming missions that await an answer, proposed by or to the viewer. */
export const seatSwaps = z.array(seatSwap);
