/** A frag order as the API answers it, with every fact filled in: pending, two days before its mission. */
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';

const HOUR = 3_600_000;
export const SAMPLE_START = Date.UTC(2026, 10, 20, 19);
const iso = (hours: number) => new Date(SAMPLE_START + hours * HOUR).toISOString();

export const SAMPLE_ORDER: AcceptedMissionDto = {
  id: '0192c0de-0000-7000-8000-000000000000',
  seq: 12,
  label: 'FRAG-012',
  status: 'issued',
  statusReason: null,
  rsvp: 'pending',
  missionId: '0192c0de-0000-7000-8000-000000000001',
  missionName: 'Op Iron Hound',
  isPractice: false,
  theater: 'Syria',
  startUtc: iso(0),
  endUtc: iso(3),
  flightCallsign: 'VIPER 1',
  aircraftName: 'F-16C Viper',
  seatIndex: 1,
  role: 'CAP',
  side: 1,
  launchUtc: iso(0.5),
  totUtc: iso(1),
  title: 'CAP, F-16C Viper, seat 2',
  reasons: ['You fly the F-16C.', 'You have waited longest.'],
  issuedAt: iso(-72),
  expiresAt: iso(-36),
  confirmedAt: null,
  asksConfirmation: false,
  standbyPosition: null,
  changes: [],
  changedAt: null,
  radioFreq: '251.000 AM',
  level: 'expert',
  notes: 'Two HARMs each',
  missionTexts: eachField(MISSION_TEXT_KEYS, (key) => `${key} of the mission`),
  links: [{ kind: 'chart', title: 'Akrotiri', url: 'https://charts.example/akrotiri' }],
  package: {
    callsign: 'ALPHA',
    objective: 'CAP, Syria',
    composition: [
      { callsign: 'DUDE 1', aircraftName: 'F-15E', seats: 1, radioFreq: null, pilots: ['Goose'] },
      {
        callsign: 'VIPER 1',
        aircraftName: 'F-16C Viper',
        seats: 2,
        radioFreq: '251.000 AM',
        pilots: [null, 'Maverick'],
      },
    ],
  },
};
