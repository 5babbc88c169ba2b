/** Sentences of the order page and its answers; the failures are the specification's sentences. */
import type { Rsvp, RsvpResponse } from '#shared/vocabulary.ts';

export const orderCopy = {
  rsvpFailed: 'Failed to send RSVP',
  loadingOrder: 'Loading frag order...',
  orderFailed: 'Failed to load frag order',
  wholePlan: 'Mission plan and comm ladder',
  missionPage: 'About the mission',
} as const;

/** `Confirmed` for accepting an order that is accepted already. */
export function answerWord(before: Rsvp, response: RsvpResponse): string {
  return before === 'accepted' && response === 'accepted' ? 'Confirmed' : RSVP_WORDS[response];
}

export const RSVP_WORDS: Record<RsvpResponse, string> = {
  accepted: 'Accepted',
  standby: 'Standby',
  declined: 'Declined',
};
