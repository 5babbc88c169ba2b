/** Documentation of the admins' calls for missions. */
import { LISTED_MAX } from '#shared/limits.ts';
import type { OperationDocs, ProcedureName } from './docs.ts';

type Name = Extract<
  ProcedureName,
  `admin.${'createMission' | 'missions' | 'missionsByDate' | 'attendance'}` | `admin.mission.${string}`
>;

const EDIT_REFUSALS = [
  'MISSION_NOT_FOUND',
  'FLIGHT_NOT_FOUND',
  'PACKAGE_NOT_FOUND',
  'AIRCRAFT_NOT_FOUND',
  'AIRCRAFT_SWITCHED_OFF',
  'GUILD_NOT_FOUND',
  'START_IN_PAST',
  'CHANGED',
  'MISSION_UNDER_WAY',
  'MISSION_FINAL',
  'CALLSIGN_IN_USE',
  'RADIO_IN_USE',
] as const;

export const MISSION_DOCS = {
  'admin.createMission': {
    id: 'createMission',
    tag: 'Missions',
    summary: 'Create a mission',
    description:
      "Groups the aircraft into packages and flights, with callsigns and frequencies. Unless `publish` is false, the seats are filled at once and the pilots get frag orders. Local times are in `timeZone`, or else in the admin's own zone. An end at or before the start is on the next day.",
    answer: 'The mission, what was built, and the orders that were issued.',
    refusals: [
      'START_IN_PAST',
      'AIRCRAFT_NOT_FOUND',
      'AIRCRAFT_SWITCHED_OFF',
      'GUILD_NOT_FOUND',
      'LIMIT_REACHED',
      'MISSION_FILE_NOT_FOUND',
    ],
  },
  'admin.missionsByDate': {
    id: 'listMissionsByDate',
    tag: 'Missions',
    summary: 'List the missions of a date',
    description:
      'Missions of any status that start on the date in `tz` (UTC by default), with packages, flights and accepted pilots. At most 200; `totalMissions` counts them all.',
  },
  'admin.mission.dryRun': {
    id: 'dryRunMission',
    tag: 'Missions',
    summary: 'Try how a mission would be seated',
    description: 'Changes nothing. Says who would be asked, why seats stay open, and which times would be better.',
    refusals: ['START_IN_PAST', 'AIRCRAFT_NOT_FOUND', 'AIRCRAFT_SWITCHED_OFF'],
  },
  'admin.mission.weekPlan': {
    id: 'planWeek',
    tag: 'Missions',
    summary: 'Try how drafts would be seated together',
    description: 'Changes nothing. Compares seating all drafts together with publishing them one after the other.',
    refusals: [
      'MISSION_NOT_FOUND',
      'MISSION_FINAL',
      'MISSION_PUBLISHED',
      'START_IN_PAST',
      'AIRCRAFT_NOT_FOUND',
      'AIRCRAFT_SWITCHED_OFF',
    ],
  },
  'admin.mission.publishWeek': {
    id: 'publishWeek',
    tag: 'Missions',
    summary: 'Publish drafts together',
    description: 'Seats all drafts together and issues their frag orders. All of them are published or none.',
    refusals: ['MISSION_NOT_FOUND', 'MISSION_FINAL', 'MISSION_PUBLISHED', 'START_IN_PAST'],
  },
  'admin.mission.get': {
    id: 'getMission',
    tag: 'Missions',
    summary: 'Get a mission',
    description:
      'With the request that it was built from, for editing and copying. Local times are in `tz`, or else in the zone of the mission.',
    refusals: ['MISSION_NOT_FOUND'],
  },
  'admin.mission.edit': {
    id: 'editMission',
    tag: 'Missions',
    summary: 'Edit a mission',
    description:
      'Omitted fields stay unchanged. Pilots are asked again when the time, side, aircraft or role changes, and notified of smaller changes. Those who no longer fit lose their seat, unless `keepPilotIds` names them. A mission under way takes only notes, radio and end.',
    refusals: EDIT_REFUSALS,
  },
  'admin.mission.previewEdit': {
    id: 'previewMissionEdit',
    tag: 'Missions',
    summary: 'Try what an edit means for pilots',
    description: 'Changes nothing. Takes the same input as the edit, and lists the pilots who would lose their seat.',
    refusals: EDIT_REFUSALS,
  },
  'admin.mission.files': {
    id: 'listMissionFiles',
    tag: 'Missions',
    summary: "List the versions of a mission's file",
    description: 'The file of DCS World that the mission was created from, and the changed ones that were brought in.',
  },
  'admin.mission.fileChanges': {
    id: 'previewMissionFile',
    tag: 'Missions',
    summary: 'Compare an uploaded file with that of a mission',
    description:
      'Changes nothing. Lists the differences between both files, what cannot be brought in, and the pilots who would lose their seat.',
    refusals: [...EDIT_REFUSALS, 'MISSION_FILE_NOT_FOUND'],
  },
  'admin.mission.applyFile': {
    id: 'applyMissionFile',
    tag: 'Missions',
    summary: 'Bring a changed file into a mission',
    description:
      'Edits the mission by the differences between both files, with the rules of any edit: orders of seats that stay as they are do not change. The file becomes the newest version; the five newest are kept.',
    refusals: [...EDIT_REFUSALS, 'MISSION_FILE_NOT_FOUND'],
  },
  'admin.mission.createPractice': {
    id: 'createPracticeMission',
    tag: 'Missions',
    summary: 'Make a practice mission',
    description:
      'Issues one order to the caller, a day ahead, in place of an earlier practice mission. Nobody else is asked, it counts nowhere, and no message or event leaves the site.',
    refusals: ['SUSPENDED', 'OVERLAP', 'LIMIT_REACHED', 'AIRCRAFT_NOT_FOUND'],
  },
  'admin.mission.removePractice': {
    id: 'removePracticeMission',
    tag: 'Missions',
    summary: 'Remove a practice mission',
    description: 'With its orders, without a trace.',
    refusals: ['MISSION_NOT_FOUND', 'MISSION_NOT_PRACTICE'],
  },
  'admin.mission.cancel': {
    id: 'cancelMission',
    tag: 'Missions',
    summary: 'Cancel a mission',
    description: 'Cancels its orders and tells the pilots. A draft is cancelled without telling anybody.',
    refusals: ['MISSION_NOT_FOUND', 'MISSION_FINAL'],
  },
  'admin.mission.publish': {
    id: 'publishMission',
    tag: 'Missions',
    summary: 'Publish a draft',
    description: 'Fills the seats and issues frag orders.',
    refusals: ['MISSION_NOT_FOUND', 'MISSION_FINAL', 'MISSION_PUBLISHED', 'START_IN_PAST'],
  },
  'admin.mission.candidates': {
    id: 'listSeatCandidates',
    tag: 'Missions',
    summary: 'List candidates for a seat',
    answer: `Pilots for the seat, at most ${LISTED_MAX.candidates}: eligible ones first, then the others with the reason why not. \`query\` finds the others.`,
    refusals: ['MISSION_NOT_FOUND', 'FLIGHT_NOT_FOUND', 'SEAT_NOT_FOUND'],
  },
  'admin.mission.assignPilot': {
    id: 'assignPilot',
    tag: 'Missions',
    summary: 'Assign a pilot to a seat',
    description: 'Issues an order for the seat. A taken seat needs `replace`, together with `holderId`.',
    refusals: [
      'MISSION_NOT_FOUND',
      'FLIGHT_NOT_FOUND',
      'SEAT_NOT_FOUND',
      'USER_NOT_FOUND',
      'PILOT_SUSPENDED',
      'DELETION_REQUESTED',
      'PILOT_ON_LEAVE',
      'MISSION_IS_DRAFT',
      'MISSION_STARTED',
      'MISSION_FINAL',
      'OVERLAP',
      'SEAT_TAKEN',
      'LIMIT_REACHED',
    ],
  },
  'admin.mission.removePilot': {
    id: 'removePilot',
    tag: 'Missions',
    summary: 'Remove the pilot from a seat',
    description: "Ends the pilot's order and asks the next pilot.",
    refusals: [
      'MISSION_NOT_FOUND',
      'FLIGHT_NOT_FOUND',
      'SEAT_NOT_FOUND',
      'MISSION_IS_DRAFT',
      'MISSION_STARTED',
      'MISSION_FINAL',
      'SEAT_EMPTY',
      'SEAT_TAKEN',
    ],
  },
  'admin.mission.orders': {
    id: 'listMissionOrders',
    tag: 'Missions',
    summary: 'List the orders of a mission',
    answer: 'Orders of the mission, the newest first.',
    refusals: ['MISSION_NOT_FOUND'],
  },
  'admin.mission.rivals': {
    id: 'listRivalDrafts',
    tag: 'Missions',
    summary: 'List drafts that compete for pilots',
    answer: 'Drafts of the same week that could be seated together with this one, by start.',
    refusals: ['MISSION_NOT_FOUND'],
  },
  'admin.mission.unseated': {
    id: 'listUnseatedPilots',
    tag: 'Missions',
    summary: 'List pilots without a seat in a mission',
    answer: `Active pilots without a seat, with the reason: near misses first, then by reason and name, at most ${LISTED_MAX.ineligible} of each.`,
    refusals: ['MISSION_NOT_FOUND'],
  },
  'admin.mission.recordAttendance': {
    id: 'recordAttendance',
    tag: 'Missions',
    summary: 'Record attendance',
    description: 'For missions that have ended. Orders that the request does not name keep their mark.',
    refusals: ['MISSION_NOT_FOUND', 'MISSION_FINAL', 'MISSION_NOT_OVER', 'PILOT_HELD_NO_SEAT'],
  },
  'admin.missions': {
    id: 'listMissionsForAdmin',
    tag: 'Missions',
    summary: 'List missions of a range of dates',
    description: 'All missions, drafts and cancelled ones included, that start on these dates of `tz`.',
    answer: 'Missions by start, with packages, flights and accepted pilots.',
  },
  'admin.attendance': {
    id: 'exportAttendance',
    tag: 'Missions',
    summary: 'Export attendance',
    description:
      'Seats that pilots held until the end of missions that are over. Also as CSV, with `Accept: text/csv`: one line for each seat.',
    answer: 'One entry for each seat, by start of the mission.',
  },
} as const satisfies Record<Name, OperationDocs>;
