/** The operations of missions by an admin. */
import { hoursFromNow } from '#tests/harness/given.ts';
import type { Operation, Subject } from './operations.ts';

export const NO_MISSION = '0192c0de-0000-7000-8000-000000000000';

let count = 0;

/** A mission far from every other one. */
function missionInput(): Record<string, unknown> {
  count += 1;
  return {
    name: `Op ${count}`,
    theater: 'Syria',
    startLocal: hoursFromNow(100 + 5 * count),
    endLocal: hoursFromNow(102 + 5 * count),
    timeZone: 'UTC',
    notes: 'Bring smoke',
    aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP', additionalNotes: 'Fox three' }],
  };
}

/** Changes every field of a mission with one flight, except its times. */
function missionEdit({ missionId, flightId }: Subject): Record<string, unknown> {
  count += 1;
  return {
    id: missionId,
    name: `Op ${count}`,
    theater: 'Kola',
    notes: 'Bring flares',
    flights: [
      {
        id: flightId,
        aircraftId: 2,
        role: 'CAP',
        side: 0,
        sizeCap: 1,
        launchMinutes: 40,
        radioFreq: '251.000',
        notes: 'Fox two',
      },
    ],
    removeFlightIds: [],
    addAircraftSlots: [],
    keepPilotIds: [],
  };
}

const seatOf = ({ missionId, flightId }: Subject) => ({ id: missionId, flightId, seatIndex: 0 });
const today = () => new Date().toISOString().slice(0, 10);

export const MISSION_OPERATIONS: Record<string, Operation> = {
  'admin.createMission': { policy: 'admin', input: missionInput },
  'admin.mission.dryRun': { policy: 'admin', input: missionInput },
  'admin.mission.weekPlan': { policy: 'admin', input: () => ({ missionIds: [], request: missionInput() }) },
  'admin.mission.publishWeek': {
    policy: 'admin',
    input: ({ missionId }) => ({ missionIds: [missionId] }),
    refusal: ['MISSION_PUBLISHED', 'This mission has already been published.'],
  },
  'admin.mission.rivals': { policy: 'admin', input: ({ missionId }) => ({ id: missionId }) },
  'admin.mission.unseated': { policy: 'admin', input: ({ missionId }) => ({ id: missionId }) },
  'admin.mission.get': { policy: 'admin', input: ({ missionId }) => ({ id: missionId, tz: 'Asia/Tokyo' }) },
  'admin.mission.edit': { policy: 'admin', input: missionEdit },
  'admin.mission.previewEdit': { policy: 'admin', input: missionEdit },
  'admin.mission.files': { policy: 'admin', input: ({ missionId }) => ({ id: missionId }) },
  'admin.mission.fileChanges': {
    policy: 'admin',
    input: ({ missionId }) => ({ id: missionId, fileId: NO_MISSION }),
    refusal: ['MISSION_FILE_NOT_FOUND', 'This mission has no mission file.'],
  },
  'admin.mission.applyFile': {
    policy: 'admin',
    input: ({ missionId }) => ({ id: missionId, fileId: NO_MISSION }),
    refusal: ['MISSION_FILE_NOT_FOUND', 'This mission has no mission file.'],
  },
  'admin.mission.createPractice': { policy: 'admin', input: () => undefined },
  'admin.mission.removePractice': {
    policy: 'admin',
    input: () => ({ id: NO_MISSION }),
    refusal: ['MISSION_NOT_FOUND', 'Mission not found'],
  },
  'admin.mission.cancel': {
    policy: 'admin',
    input: () => ({ id: NO_MISSION }),
    refusal: ['MISSION_NOT_FOUND', 'Mission not found'],
  },
  'admin.mission.publish': {
    policy: 'admin',
    input: ({ missionId }) => ({ id: missionId }),
    refusal: ['MISSION_PUBLISHED', 'This mission has already been published.'],
  },
  'admin.mission.seatBoard': { policy: 'admin', input: ({ missionId }) => ({ id: missionId }) },
  'admin.mission.applySeats': {
    policy: 'admin',
    input: ({ id, missionId, flightId }) => ({
      id: missionId,
      dryRun: true,
      changes: [{ userId: id, to: { flightId, seatIndex: 0 }, anyway: true }],
    }),
  },
  'admin.mission.candidates': { policy: 'admin', input: seatOf },
  'admin.mission.assignPilot': {
    policy: 'admin',
    input: (subject) => ({ ...seatOf(subject), userId: subject.id, replace: true }),
  },
  'admin.mission.removePilot': {
    policy: 'admin',
    input: (subject) => ({ ...seatOf(subject), id: NO_MISSION }),
    refusal: ['MISSION_NOT_FOUND', 'Mission not found'],
  },
  'admin.mission.orders': { policy: 'admin', input: ({ missionId }) => ({ id: missionId }) },
  'admin.mission.nudge': {
    policy: 'admin',
    input: () => ({ id: NO_MISSION, about: 'unanswered' }),
    refusal: ['MISSION_NOT_FOUND', 'Mission not found'],
  },
  'admin.mission.recordAttendance': {
    policy: 'admin',
    input: ({ missionId, orderId }) => ({ id: missionId, attendance: [{ orderId, attendance: 'attended' }] }),
    refusal: ['MISSION_NOT_OVER', 'Attendance can be marked once the mission is over.'],
  },
  'admin.mission.attendanceReport': { policy: 'admin', input: ({ missionId }) => ({ id: missionId }) },
  'admin.mission.decideAttendance': {
    policy: 'admin',
    input: ({ missionId }) => ({ id: missionId, decision: 'confirmed' }),
    refusal: ['MISSION_NOT_OVER', 'Attendance can be marked once the mission is over.'],
  },
  'admin.mission.setGameName': {
    policy: 'admin',
    input: (subject) => ({ id: subject.missionId, name: 'Vesper', userId: subject.id }),
    refusal: ['MISSION_NOT_OVER', 'Attendance can be marked once the mission is over.'],
  },
  'admin.slots.current': { policy: 'admin', isForServers: true, input: () => undefined },
  'admin.slots.get': {
    policy: 'admin',
    isForServers: true,
    input: ({ missionId }) => ({ id: missionId }),
    refusal: [
      'MISSION_NOT_FOUND',
      'This mission has no slots now. They can be read from 6 hours before its start until its end, once it is published.',
    ],
  },
  'admin.missionsByDate': { policy: 'admin', input: () => ({ date: today(), tz: 'Asia/Tokyo' }) },
};
