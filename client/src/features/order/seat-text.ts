/** Sentences about taking and swapping seats. */
export const seatCopy = {
  loadingOpenings: 'Loading open seats...',
  openingsFailed: 'Failed to load open seats',
  takeFailed: 'Failed to take the seat',
  standbyFailed: 'Failed to join the standby queue',
  noOpenings: 'No upcoming mission has an open seat for you.',
  notAvailable: 'You are not available at these times.',
  onStandby: "You're on standby.",
  noneHere: 'No seat in this mission is open to you.',
  takenAtOnce: 'The seat is yours right away. It appears under Accepted Missions, where you can give it back.',
  loadingSwaps: 'Loading seat swaps...',
  swapsFailed: 'Failed to load seat swaps',
  swapFailed: 'Failed to send your answer',
  withdrawFailed: 'Failed to withdraw the swap',
  proposeFailed: 'Failed to ask for the swap',
  loadingPartners: 'Loading pilots to swap with...',
  partnersFailed: 'Failed to load pilots to swap with',
  noPartners: 'Nobody to swap with',
  whoIsPartner:
    'You can swap with a pilot who has accepted a seat in this mission, if each of you can fly the other’s.',
  notListed: 'Not on your list',
  notListedWarning: "This aircraft isn't on your list. Take the seat only if you own it.",
  untilAgreed: 'Both of you keep your seats until the other pilot agrees.',
} as const;

interface SwapSeat {
  aircraftName: string;
}

/** Warnings about a swap: the seat is in another aircraft that the pilot has not listed. Both pilots fly for one side. */
export function swapWarnings(from: SwapSeat, to: SwapSeat, isListed: boolean): string[] {
  return isListed || to.aircraftName === from.aircraftName ? [] : [`You haven't listed the ${to.aircraftName}.`];
}
