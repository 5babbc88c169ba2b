/** Texts of a mission file for the mission form: notes of a group's flights and of the mission. */
import { BRIEFING_NOTES_MAX_LENGTH } from './limits.ts';
import type { FileGroup, FoundMission } from './schemas/mission-file.ts';

/** What pilots of a group read: how the game names it, its callsigns, frequency and task. */
export function groupNotes({ name, callsign, frequency, task, units }: FileGroup): string {
  const callsigns = callsign ?? [...new Set(units.flatMap((unit) => unit.callsign ?? []))].join(', ');
  return `In the game: ${[name, callsigns, frequency, task].filter((part) => part !== null && part !== '').join(', ')}.`;
}

/** The notes of a mission: the situation, the simulated start and the weather of its file. */
export function missionNotes({ situation, date, time, weather }: FoundMission): string {
  const start = [date, time].filter((part) => part !== null).join(' ');
  const parts = [situation, start && `The game starts at ${start}.`, weather && `Weather: ${weather}.`];
  return parts
    .filter((part) => part !== '')
    .join('\n\n')
    .slice(0, BRIEFING_NOTES_MAX_LENGTH);
}
