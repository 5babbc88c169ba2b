/** Shapes of missions, as answers contain them. */
import type { Shape } from './answer-shapes.ts';

const TIMES = { launchUtc: 'instant', launch: 'instant', totUtc: 'instant', tot: 'instant' } as const;
const FLIGHT: Shape = {
  id: 'text',
  callsign: 'text',
  aircraftId: 'number',
  aircraftName: 'text',
  role: 'text',
  side: 'number',
  ...TIMES,
  launchMinutes: 'number?',
  totMinutes: 'number?',
  radioFreq: 'text?',
  sizeCap: 'number',
  notes: 'text?',
  sortOrder: 'number',
  acceptedCount: 'number',
  pendingCount: 'number',
  openSlots: 'number',
  assignments: [{ flightId: 'text', seatIndex: 'number', userId: 'text', userDisplayName: 'text' }, 'or none'],
};
export const MISSION = {
  id: 'text',
  name: 'text',
  theater: 'text',
  status: 'text',
  timeZone: 'text',
  startLocal: 'local',
  endLocal: 'local',
  startUtc: 'instant',
  endUtc: 'instant',
  isPractice: 'flag',
  createdByName: 'text',
  notes: 'text?',
  links: [{ kind: 'text', title: 'text', url: 'text' }, 'or none'],
  packages: [
    {
      id: 'text',
      callsign: 'text',
      objective: 'text',
      ownObjective: 'text?',
      ...TIMES,
      notes: 'text?',
      sortOrder: 'number',
      flights: [FLIGHT],
    },
  ],
} as const satisfies Shape;
export const DETAIL = {
  ...MISSION,
  ownTimeZone: 'text',
  guildIds: ['text', 'or null'],
  secretSides: 'flag?',
  version: 'text',
  aircraftSlots: [
    { aircraftId: 'number', slotCount: 'number', side: 'number', notes: 'text', additionalNotes: 'text?' },
  ],
} as const satisfies Shape;
export const ASSIGNED: Shape = {
  missionId: 'text',
  missionName: 'text',
  theater: 'text',
  packageCallsign: 'text',
  flightCallsign: 'text',
  aircraftName: 'text',
  seatIndex: 'number',
  startLocal: 'local',
  endLocal: 'local',
  startUtc: 'instant',
  endUtc: 'instant',
  status: 'text',
  rsvp: 'text',
};
export const RIVAL: Shape = { missionId: 'text', missionName: 'text', startUtc: 'instant', sharedPilots: 'number' };
