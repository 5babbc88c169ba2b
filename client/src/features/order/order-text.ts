/** Sentences of the order page and its answers; the failures are the specification's sentences. */
import type { RsvpResponse } from '#shared/vocabulary.ts';

export const orderCopy = {
  rsvpFailed: 'Failed to send RSVP',
  loadingOrder: 'Loading frag order...',
  orderFailed: 'Failed to load frag order',
  wholePlan: 'Mission plan and comm ladder',
  missionPage: 'About the mission',
} as const;

export const RSVP_WORDS: Record<RsvpResponse, string> = {
  accepted: 'Accepted',
  standby: 'Standby',
  declined: 'Declined',
};
