/** Sentences of the mission screens. */
import { placeName } from '#shared/labels.ts';

export const workCopy = {
  loadingOrders: 'Loading orders...',
  ordersFailed: 'Error loading orders: ',
  loadingCandidates: 'Loading pilots...',
  candidatesFailed: 'Error loading pilots: ',
  loadingMission: 'Loading mission...',
  missionFailed: 'Error loading mission: ',
  unsaved: 'The changes to this mission are not saved.',
  planMinutes: 'Launch and TOT are minutes after the start. Left empty, they follow the role.',
  nothingChanged: 'Nothing has been changed yet.',
  checkingFit: 'Checking who still fits...',
  kept: 'Your edits are kept on top of the new version.',
  assignFailed: 'Failed to assign the pilot',
  removeFailed: 'Failed to remove the pilot',
  saveFailed: 'Failed to save the mission',
  cancelFailed: 'Failed to cancel the mission',
  adoptMeaning:
    'The others take over what this mission says, also its time of day, but not its date. Those edited by themselves stay.',
  templateMeaning: 'Keeps aircraft, flights, notes, links and usual hours of this mission, to create others from.',
  templateSaved: (name: string) => `Saved as the template ${name}.`,
  templateOverwritten: 'The template now holds this mission.',
  practiceGoes: 'The mission and its orders are removed without a trace.',
  publishFailed: 'Failed to publish the mission',
  planFailed: 'Failed to plan the drafts together',
  loadingIneligible: 'Loading pilots without a seat...',
  ineligibleFailed: 'Error loading pilots without a seat: ',
  loadingLog: 'Loading log...',
  logFailed: 'Error loading log: ',
  noLog: 'No entries yet',
  attendanceFailed: 'Failed to save attendance',
  rosterFailed: 'Failed to save the roster',
} as const;

/** `VIPER 1, seat 2` */
export function seatName(callsign: string, seatIndex: number): string {
  return placeName({ flightCallsign: callsign, seatIndex });
}
