/** Schemas of open seats that pilots can take, and of seat swaps between two pilots. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { FLIGHT_SIZE_MAX } from '#shared/limits.ts';
import { SWAP_STATES, INELIGIBILITY_REASONS } from '#shared/vocabulary.ts';
import { idInput, isoInstant } from './common.ts';

const side = z.union([z.literal(0), z.literal(1)]);

const openMission = {
  missionId: z.string(),
  missionName: z.string(),
  theater: z.string(),
  startUtc: isoInstant,
  endUtc: isoInstant,
};

const place = {
  flightId: z.string(),
  flightCallsign: z.string(),
  /** Index of the seat in the flight, from 0. */
  seatIndex: z.number(),
  aircraftName: z.string(),
  role: z.string(),
  side,
};

export const openings = z
  .object({
    /** Upcoming missions with a free seat that this pilot may take, soonest first. */
    open: z.array(
      z.object({
        ...openMission,
        /** Seats in board order, without those in aircraft that the pilot does not fly. */
        seats: z.array(z.object({ ...place, launchUtc: isoInstant.nullable(), isLead: z.boolean() })),
      }),
    ),
    /** Upcoming missions without a seat for this pilot, and why: none is free, or the pilot is not eligible. */
    closed: z.array(z.object({ ...openMission, reason: z.enum(INELIGIBILITY_REASONS), sentence: z.string() })),
  })
  .meta({ id: 'Openings' });
export type OpeningsDto = z.infer<typeof openings>;

export const takeSeatInput = z.object({
  missionId: idInput,
  flightId: idInput,
  seatIndex: z
    .int({ error: copy.seatUnknown })
    .min(0, copy.seatUnknown)
    .max(FLIGHT_SIZE_MAX - 1, copy.seatUnknown),
});

export const swapPartnersInput = z.object({ id: idInput });
/** Accepted seats in the same mission that the pilot could swap with: each can fly the other's aircraft. In board order. */
export const swapPartners = z.array(z.object({ orderId: z.string(), pilotName: z.string(), ...place }));
export type SwapPartnerDto = z.infer<typeof swapPartners>[number];

/** `id` is the pilot's own accepted order. */
export const proposeSwapInput = z.object({ id: idInput, withOrderId: idInput });
export const swapInput = z.object({ id: idInput });
export const answerSwapInput = z.object({
  id: idInput,
  response: z.enum(['agreed', 'declined'], { error: copy.swapResponseFromList }),
});

export const seatSwap = z
  .object({
    id: z.string(),
    ...openMission,
    state: z.enum(SWAP_STATES),
    /** Call sign of the other pilot. */
    pilotName: z.string(),
    /** The viewer's own order. */
    orderId: z.string(),
    /** True when the viewer proposed the swap. */
    isMine: z.boolean(),
    /** The viewer's current seat. */
    from: z.object(place),
    /** The viewer's seat after the swap. */
    to: z.object(place),
    expiresAt: isoInstant,
  })
  .meta({ id: 'SeatSwap' });
export type SeatSwapDto = z.infer<typeof seatSwap>;
/** Swaps in upcoming missions that await an answer, proposed by or to the viewer. */
export const seatSwaps = z.array(seatSwap);
