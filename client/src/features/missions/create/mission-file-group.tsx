import { Choice } from '#client/components/choice.tsx';
import { sideName } from '#shared/labels.ts';
import type { UploadedGroup } from '#shared/schemas/mission-file.ts';
import { count } from '#shared/plural.ts';
import type { FileChoice } from './mission-file-draft.ts';
import { seatsOf, withGroups } from './mission-file-groups.ts';
import classes from './mission-file-tree.module.css';

export interface ChoiceProps {
  choice: FileChoice;
  onChoose: (choice: FileChoice) => void;
}

interface FileGroupProps extends ChoiceProps {
  group: UploadedGroup;
  /** the aircraft, the side and the second crew station stand elsewhere */
  isInTree?: boolean;
}

const nameOf = ({ name, groupId }: UploadedGroup): string => name || `Group ${groupId}`;

/** A group of a mission file: its box, and the box of its second crew station. */
export function FileGroup({ group, isInTree = false, choice, onChoose }: FileGroupProps) {
  const isTaken = !choice.without.has(group.groupId);
  return (
    <li className={classes.group}>
      <Choice
        label={nameOf(group)}
        meaning={isInTree ? planOf(group) : wordsOf(group)}
        checked={isTaken}
        onChange={(isIn) => onChoose({ ...choice, without: withGroups(choice.without, [group], !isIn) })}
      />
      {!isInTree && group.crewStations > 1 && isTaken && (
        <SecondCrew groups={[group]} choice={choice} onChoose={onChoose} />
      )}
    </li>
  );
}

interface SecondCrewProps extends ChoiceProps {
  groups: readonly UploadedGroup[];
  /** for several groups; a single one is named */
  label?: string;
}

/** The box that adds seats of the second crew station of some groups. */
export function SecondCrew({ groups, label, choice, onChoose }: SecondCrewProps) {
  const has = ({ groupId }: UploadedGroup): boolean => choice.withSecond.has(groupId);
  return (
    <div className={classes.second}>
      <Choice
        label={label ?? `Add a seat for the second crew member of ${groups.map(nameOf).join(', ')}`}
        meaning={`${count(seatsOf(groups), 'more seat')}, in flights of their own`}
        checked={groups.every(has)}
        indeterminate={groups.some(has) && !groups.every(has)}
        onChange={(isIn) => onChoose({ ...choice, withSecond: withGroups(choice.withSecond, groups, isIn) })}
      />
    </div>
  );
}

/** `SEAD (Escort)`: the role, and the task of the file where it has another name. */
const roleWords = ({ role, task }: UploadedGroup): string =>
  task === null || task === role ? role : `${role} (${task})`;

/** `4 seats, CAP, Enfield 1, 251.000 AM` */
function planOf(group: UploadedGroup): string {
  const parts = [count(group.units.length, 'seat'), roleWords(group), group.callsign, group.frequency];
  return parts.filter((part) => part !== null).join(', ');
}

/** `4 × F/A-18C Hornet, CAP, Blue, Enfield 1, 251.000 AM` */
function wordsOf(group: UploadedGroup): string {
  const { units, aircraftName, crewStations, side, callsign, frequency } = group;
  const crew = crewStations > 1 ? `${aircraftName} with ${crewStations} crew stations` : aircraftName;
  const parts = [`${units.length} × ${crew}`, roleWords(group), sideName(side), callsign, frequency];
  return parts.filter((part) => part !== null).join(', ');
}
