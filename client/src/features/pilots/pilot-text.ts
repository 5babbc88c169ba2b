import type { WindowSource } from '#shared/vocabulary.ts';

/** Sentences of a pilot's page. */
export const pilotCopy = {
  loading: 'Loading user availability...',
  loadFailed: 'Error loading user availability: ',
  noSchedule: 'No weekly availability yet',
  noScheduleMeaning: 'Until then, this pilot gets missions only from dated exceptions or Find Flight.',
  noWindows: 'Not available on any of these days',
  noLevels: 'No aircraft listed',
  noLevelsMeaning: 'Missions may ask this pilot to fly any aircraft, at basic level and after the pilots who list it.',
  noUpcoming: 'No upcoming assignments',
  noPrevious: 'No previous assignments',
  levelStands: "The pilot can't change a level that an admin has set.",
  levelFailed: 'Failed to set the level',
  levelRemoveFailed: 'Failed to remove the level',
  levelSet: 'Level set',
  levelRemoved: 'Level removed',
  fairnessTitle: 'Seats compared with peers',
  fairnessLoading: 'Loading fairness...',
  fairnessFailed: 'Failed to load fairness',
  noPeers: 'Nobody else lists one of these aircraft, so there is nobody to compare with.',
  noAircraft: 'This pilot lists no aircraft, so there is nobody to compare with.',
  noShares: 'Nobody has had a share of a mission in the last 90 days.',
  chooseAircraft: 'Please choose an aircraft',
} as const;

/** Labels of an availability window's source. */
export const SOURCE_NAMES: Record<WindowSource | 'busy', string> = {
  template: 'Weekly template',
  override: 'Dated override',
  status: 'Live status',
  busy: 'Busy, from their calendar',
};
