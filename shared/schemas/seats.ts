/** Schemas of open seats that pilots take, and of swaps with a pilot who agrees. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { FLIGHT_SIZE_MAX } from '#shared/limits.ts';
import { SWAP_STATES, UNSEATED_REASONS } from '#shared/vocabulary.ts';
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
  /** from 0 */
  seatIndex: z.number(),
  aircraftName: z.string(),
  role: z.string(),
  side,
};

export const openings = z.object({
  /** missions ahead with a free seat that this pilot may take, the next one first */
  open: z.array(
    z.object({
      ...openMission,
      /** in board order, those of other aircraft left out */
      seats: z.array(z.object({ ...place, launchUtc: isoInstant.nullable(), isLead: z.boolean() })),
    }),
  ),
  /** missions ahead without a seat for this pilot, and why not: none is free, or the pilot does not fit */
  closed: z.array(z.object({ ...openMission, reason: z.enum(UNSEATED_REASONS), sentence: z.string() })),
});
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
/** Accepted seats of the same mission whose pilots could fly mine, as I could fly theirs; in board order. */
export const swapPartners = z.array(z.object({ orderId: z.string(), pilotName: z.string(), ...place }));
export type SwapPartnerDto = z.infer<typeof swapPartners>[number];

/** `id`: my own accepted order. */
export const proposeSwapInput = z.object({ id: idInput, withOrderId: idInput });
export const swapInput = z.object({ id: idInput });
export const answerSwapInput = z.object({
  id: idInput,
  response: z.enum(['agreed', 'declined'], { error: copy.swapResponseFromList }),
});

export const seatSwap = z.object({
  id: z.string(),
  ...openMission,
  state: z.enum(SWAP_STATES),
  /** the other pilot's call sign */
  pilotName: z.string(),
  /** my own order, and whether I was the one who asked */
  orderId: z.string(),
  isMine: z.boolean(),
  /** the seat I hold, and the one I would have */
  from: z.object(place),
  to: z.object(place),
  expiresAt: isoInstant,
});
export type SeatSwapDto = z.infer<typeof seatSwap>;
/** Those that wait for an answer, mine and others', of missions ahead. */
export const seatSwaps = z.array(seatSwap);
