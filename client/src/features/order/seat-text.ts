/** Sentences about seats that pilots take and swap by themselves. */
import { seatLabel } from '#shared/labels.ts';

export const seatCopy = {
  loadingOpenings: 'Loading open seats...',
  openingsFailed: 'Failed to load open seats',
  takeFailed: 'Failed to take the seat',
  noOpenings: 'No mission ahead has a seat open for you.',
  takenAtOnce: 'The seat is yours at once. You find it under Accepted Missions, where you can give it back.',
  loadingSwaps: 'Loading seat swaps...',
  swapsFailed: 'Failed to load seat swaps',
  swapFailed: 'Failed to send your answer',
  withdrawFailed: 'Failed to withdraw the swap',
  proposeFailed: 'Failed to ask for the swap',
  loadingPartners: 'Loading pilots to swap with...',
  partnersFailed: 'Failed to load pilots to swap with',
  noPartners: 'Nobody to swap with',
  whoIsPartner: 'A partner holds an accepted seat in this mission and can fly yours, as you can fly theirs.',
  untilAgreed: 'Both of you keep your seats until the other pilot agrees.',
} as const;

/** A seat as pilots name it; `seatIndex` counts from 0. */
interface Place {
  flightCallsign: string;
  seatIndex: number;
}

/** `Viper 1, seat 2` */
export function placeName({ flightCallsign, seatIndex }: Place): string {
  return `${flightCallsign}, ${seatLabel(seatIndex).toLowerCase()}`;
}
