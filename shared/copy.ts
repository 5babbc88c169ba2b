/** Everything that the server and the pages both say: the fixed sentences, the glossary, and sentences with names in them. */
import { DO_NOT_DISTURB_HOURS } from './limits.ts';
import type { TokenScope } from './vocabulary.ts';

export * as copy from './fixed-text.ts';

/** Words of flight planning, as the pages explain them where they stand and in the help. */
export const GLOSSARY = {
  fragOrder: ['Frag order', 'your personal tasking for one mission: flight, seat, aircraft, times and radio.'],
  package: ['Package', 'the flights that work together towards one objective.'],
  flight: ['Flight', 'one to four aircraft under one lead, with one callsign and radio frequency.'],
  launch: ['Launch', 'the time to take off.'],
  tot: ['TOT', 'time on target: when the flight is over its objective.'],
  standby: ['Standby', 'you wait in line, and get a seat when one becomes free.'],
  dnd: ['DND', `Do Not Disturb: you get no missions starting within ${DO_NOT_DISTURB_HOURS} hours.`],
  findFlight: ['Find Flight', 'you are ready now, and short-notice seats come to you until the time is up.'],
  zulu: ['Zulu (Z)', 'UTC, the same clock for everybody. L is the local time of the zone in your profile.'],
} as const satisfies Record<string, readonly [name: string, meaning: string]>;
export type GlossaryWord = keyof typeof GLOSSARY;

/** Refusal (403) of a call that the caller's access token has no scope for. */
export function scopeRequiredSentence(scope: TokenScope): string {
  return `This access token lacks the scope ${scope}. Please use a token that has it.`;
}

/** Refusal (409) of an approval that would make an account an admin, without being told to. */
export function adminUnconfirmedSentence(account: string, invite: string): string {
  return `${account} would become an admin by the invite “${invite}”. Please confirm that, or revoke the invite to approve the account as a pilot.`;
}

/** Refusal (409) of an approval as an admin by an invite that has been revoked. */
export function noLongerAdminSentence(account: string): string {
  return `${account} no longer becomes an admin, because the invite was revoked. Please look at the list again.`;
}

/** Note to a pilot whose saved call sign could be mistaken for others. */
export function looksLikeSentence(callSigns: readonly string[]): string {
  const named = callSigns.map((callSign) => `"${callSign}"`).join(', ');
  return `Your call sign looks like ${named}. Please choose another one, so nobody mistakes you for someone else.`;
}

/** Refusal (409) of an answer that would put the pilot into two missions at once; names the other mission. */
export function overlapSentence(missionName: string): string {
  return `You already hold a seat in "${missionName}" at that time.`;
}

/** Seating reason on both orders of a swap. */
export function swappedSentence(pilot: string): string {
  return `You swapped seats with ${pilot}.`;
}

/** Refusal (409) of an assignment that would put the pilot into two missions at once. */
export function pilotOverlapSentence(pilot: string, missionName: string): string {
  return `${pilot} already holds a seat in "${missionName}" at that time.`;
}

/** Refusal (409) of an assignment to a taken seat without the request to replace its holder. */
export function seatHeldSentence(pilot: string): string {
  return `${pilot} holds this seat.`;
}

const BOARD_NAMED_MAX = 3;

/** Refusal (409) of changes to a seat board that has changed. @param seats those that have, such as `Viper 1, seat 2 (open)` */
export function boardChangedSentence(seats: readonly string[]): string {
  const named = seats.slice(0, BOARD_NAMED_MAX).join('; ');
  const more = seats.length > BOARD_NAMED_MAX ? ` and ${seats.length - BOARD_NAMED_MAX} more` : '';
  return `The board has changed since you loaded it: ${named}${more}. Check your changes, then apply them again.`;
}

/** Refusal (409) of a change of the seat board to a seat whose pilot stays. */
export function boardSeatHeldSentence(place: string, pilot: string): string {
  return `${pilot} holds ${place}. Move or remove ${pilot} first.`;
}

/** Refusal (409) of a change that takes a pilot without a seat off the board. */
export function boardNoSeatSentence(pilot: string): string {
  return `${pilot} has no seat in this mission any more. Put this change back.`;
}

/** Refusal (409) of a callsign that another flight has at that time. */
export function callsignInUseSentence(callsign: string, missionName: string): string {
  return `${callsign} is a flight in "${missionName}" at that time.`;
}

/** Refusal (409) of a package's callsign that another package of the mission has. */
export function packageInUseSentence(callsign: string): string {
  return `${callsign} is another package of this mission.`;
}

export const FLIGHT_TIMES_SENTENCES = {
  launchMinutes: 'can only launch between the start and the end of the mission.',
  totMinutes: 'can only be on target between its launch and the end of the mission.',
};

/** Refusal (400) of a flight's launch or time on target. */
export function flightTimesSentence(callsign: string, field: keyof typeof FLIGHT_TIMES_SENTENCES): string {
  return `${callsign} ${FLIGHT_TIMES_SENTENCES[field]}`;
}

/** Refusal (409) of a radio frequency that another flight uses at that time. */
export function radioInUseSentence(radioFreq: string, callsign: string, missionName: string): string {
  return `${radioFreq} is in use by ${callsign} in "${missionName}" at that time.`;
}

/** Refusal (400) of an announcement whose links would lead to another site; names this site. */
export function otherSiteSentence(publicUrl: string): string {
  return `Registration links lead to ${publicUrl} only. Please open this page there.`;
}

/** Refusal (400) of a mission file whose mission is not data. @param place such as "line 12" */
export function notLuaDataSentence(place: string): string {
  return `The mission in this file could not be read: ${place} is not data.`;
}

/** Refusal (409) of a recording that does not overlap its mission. */
export function recordingOfOtherTimeSentence(
  recording: { startMs: number; endMs: number },
  mission: { startMs: number; endMs: number },
): string {
  const words = ({ startMs, endMs }: typeof mission) => `${zuluTime(startMs)} to ${zuluTime(endMs)}`;
  return `This recording runs from ${words(recording)}, and the mission from ${words(mission)}. Please choose the recording that was made during the mission.`;
}

/** `2026-11-21 19:00Z` */
const zuluTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')}Z`;
