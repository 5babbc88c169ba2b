/** Sentences of a frag order's page and its answers; failures as the specification words them. */
import type { RsvpResponse } from '#shared/vocabulary.ts';

export const orderCopy = {
  rsvpFailed: 'Failed to send RSVP',
  loadingOrder: 'Loading frag order...',
  orderFailed: 'Failed to load frag order',
} as const;

export const RSVP_WORDS: Record<RsvpResponse, string> = {
  accepted: 'Accepted',
  standby: 'Standby',
  declined: 'Declined',
};
