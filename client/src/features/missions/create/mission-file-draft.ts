/** Form values from a mission file: what is found in it becomes fields and slots. */
import { groupNotes, missionNotes } from '#shared/mission-file-text.ts';
import type { UploadedGroup, UploadedMissionFile } from '#shared/schemas/mission-file.ts';
import { AIRCRAFT_SLOT_COUNT } from '#shared/limits.ts';
import { nextKey, type MissionDraft, type SlotDraft } from './mission-draft.ts';

/** The choices of an admin among the groups of a file, by the number of the group. */
export interface FileChoice {
  /** groups that are left out */
  without: ReadonlySet<number>;
  /** groups whose second crew stations are seats, too */
  withSecond: ReadonlySet<number>;
}

function slotOf(group: UploadedGroup, aircraftId: number, station: 1 | 2): SlotDraft {
  const count = Math.min(group.units.length, AIRCRAFT_SLOT_COUNT.max);
  const second = station === 2 ? `Second crew station. ` : '';
  return {
    key: nextKey(),
    aircraftId: String(aircraftId),
    slotCount: String(count),
    role: group.role,
    side: group.side,
    additionalNotes: `${second}${groupNotes(group)}`,
    file: { groupId: group.groupId, station },
  };
}

/** Slots of the chosen groups whose type Marshal has. */
function slotsOfFile({ groups }: UploadedMissionFile, { without, withSecond }: FileChoice): SlotDraft[] {
  return groups.flatMap((group) => {
    const { aircraftId, groupId } = group;
    if (aircraftId === null || without.has(groupId)) return [];
    return [slotOf(group, aircraftId, 1), ...(withSecond.has(groupId) ? [slotOf(group, aircraftId, 2)] : [])];
  });
}

/** The new values of the form. Times and links stay: the simulated start is not when the evening starts. */
export function draftOfFile(
  draft: MissionDraft,
  file: UploadedMissionFile,
  choice: FileChoice,
): Pick<MissionDraft, 'name' | 'theater' | 'notes' | 'aircraftSlots' | 'missionFile'> {
  return {
    name: file.title || draft.name,
    theater: file.theater ?? draft.theater,
    notes: missionNotes(file) || draft.notes,
    aircraftSlots: slotsOfFile(file, choice),
    missionFile: { id: file.id, name: file.name },
  };
}

/** True when filling in would replace what somebody has typed. */
export const isTyped = ({ name, theater, notes, aircraftSlots }: MissionDraft): boolean =>
  [name, theater, notes].some((text) => text.trim() !== '') || aircraftSlots.length > 0;
