/** Sentences of the pilots' mission pages. */
import type { PilotMissionDto } from '#shared/schemas/mission-lists.ts';
import { count } from '#shared/plural.ts';
import { seatName } from '#client/features/missions/mission-text.ts';

export const planCopy = {
  loadingMission: 'Loading mission...',
  missionFailed: 'Failed to load the mission',
  noSuchMission: 'The link may be old, or the mission is no longer open to you.',
  needsSeat: 'You see frequencies, flight notes and links once you have a seat or a place on standby.',
  secretSides: 'The sides of this mission are secret. You see frequencies, crews and notes once you have a seat.',
  noFrequencies: 'No frequencies are assigned yet.',
  noNotes: 'No notes or links.',
  times: 'Timeline',
  loadingMissions: 'Loading missions...',
  missionsFailed: 'Failed to load missions',
  noneComing: 'No missions planned',
  noneYet: 'New missions appear here. Keep your times up to date so we can match you to them.',
} as const;

type State = 'accepted' | 'pending' | 'standby' | 'open' | 'full' | 'cancelled';

/** The state that a mission has in a pilot's calendar: the pilot's own answer, or else whether seats are open. */
export function missionState({
  status,
  mine,
  openSeats,
}: Pick<PilotMissionDto, 'status' | 'mine' | 'openSeats'>): State {
  if (status === 'cancelled') return 'cancelled';
  if (mine !== null && mine.rsvp !== 'declined') return mine.rsvp;
  return openSeats > 0 ? 'open' : 'full';
}

/** `Viper 1, seat 3`, `Number 2 on standby`, `3 seats open` */
export function stateWords(mission: Pick<PilotMissionDto, 'status' | 'mine' | 'openSeats'>): string {
  const { mine, openSeats } = mission;
  switch (missionState(mission)) {
    case 'accepted':
    case 'pending':
      return mine === null ? '' : seatName(mine.flightCallsign, mine.seatIndex);
    case 'standby':
      return `Number ${mine?.standbyPosition ?? 1} on standby`;
    case 'open':
      return `${count(openSeats, 'seat')} open`;
    case 'full':
      return 'No open seats';
    case 'cancelled':
      return 'Cancelled';
  }
}
