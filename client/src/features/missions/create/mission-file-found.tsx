import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { Fact, Facts } from '#client/components/fact.tsx';
import { sideName } from '#shared/labels.ts';
import { MISSION_SEATS_MAX } from '#shared/limits.ts';
import type { UploadedGroup, UploadedMissionFile } from '#shared/schemas/mission-file.ts';
import { count } from '#shared/plural.ts';
import { MissingTypes } from './missing-types.tsx';
import type { MissionDraft } from './mission-draft.ts';
import { draftOfFile, isTyped, type FileChoice } from './mission-file-draft.ts';
import { FileGroup } from './mission-file-group.tsx';
import { chosenOf, countChosen, groupBySide } from './mission-file-groups.ts';
import { FileTree } from './mission-file-tree.tsx';
import classes from './mission-file-panel.module.css';

/** Files with more groups than these have them by side and aircraft, with a search. */
const LISTED_MAX = 8;

interface MissionFileFoundProps {
  file: UploadedMissionFile;
  draft: MissionDraft;
  onFill: (values: Partial<MissionDraft>) => void;
}

/** The content of a mission file with a choice among its groups, and the button that fills in the form. Takes the focus. */
export function MissionFileFound({ file, draft, onFill }: MissionFileFoundProps) {
  const [choice, setChoice] = useState<FileChoice>({ without: new Set(), withSecond: new Set() });
  /** ids of types that were added since the file was read */
  const [added, setAdded] = useState<ReadonlyMap<string, number>>(new Map());
  const [isAsking, setAsking] = useState(false);
  const found = useRef<HTMLDivElement>(null);
  const groups = file.groups.map((group) => ({
    ...group,
    aircraftId: group.aircraftId ?? added.get(group.type) ?? null,
  }));
  const known = groups.filter(({ aircraftId }) => aircraftId !== null);
  const missing = groups.filter(({ aircraftId }) => aircraftId === null);
  const fill = (): void => onFill(draftOfFile(draft, { ...file, groups }, choice));
  const aircraftCount = groupBySide(groups).reduce((sum, { aircraft }) => sum + aircraft.length, 0);
  const hasMissing = missing.length > 0;
  // The field or button that had the focus is gone, here and after types are added.
  const takeFocus = (): void => found.current?.focus({ preventScroll: true });
  useEffect(takeFocus, []);
  return (
    <div ref={found} role="group" aria-label={`Content of ${file.name}`} tabIndex={-1} className={classes.found}>
      <Facts>
        <Fact label="File">{file.name}</Fact>
        <Fact label="Title">{file.title || 'none'}</Fact>
        <Fact label="Theater">{file.theater ?? `${file.mapName} (unknown)`}</Fact>
        <Fact label="In-game start">{[file.date, file.time].filter((part) => part !== null).join(' ') || 'none'}</Fact>
        <Fact label="Weather">{file.weather || 'none'}</Fact>
      </Facts>
      {file.problems.length > 0 && (
        <ul className={classes.problems} aria-label="Problems">
          {file.problems.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {hasMissing && (
        <MissingTypes
          groups={missing}
          onAdded={(ids) => {
            setAdded(new Map([...added, ...ids]));
            takeFocus();
          }}
        />
      )}
      {file.groups.length > LISTED_MAX && known.length > 0 && (
        <FileTree groups={known} aircraftCount={aircraftCount} choice={choice} onChoose={setChoice} />
      )}
      {known.length > 0 && file.groups.length <= LISTED_MAX && (
        <ul className={classes.groups} aria-label="Groups of the file">
          {known.map((group) => (
            <FileGroup key={group.groupId} group={group} choice={choice} onChoose={setChoice} />
          ))}
        </ul>
      )}
      <FillBar groups={known} choice={choice} onFill={() => (isTyped(draft) ? setAsking(true) : fill())} />
      <ConfirmModal
        opened={isAsking}
        title="Replace what the form has?"
        confirmLabel="Replace"
        cancelLabel="Keep it"
        onConfirm={fill}
        onClose={() => setAsking(false)}
      >
        Name, theater, notes and aircraft come from the file. Times, links and servers stay as they are.
      </ConfirmModal>
    </div>
  );
}

interface FillBarProps {
  groups: readonly UploadedGroup[];
  choice: FileChoice;
  onFill: () => void;
}

/** The sum of the chosen seats and the button that fills in the form, in sight while the groups are. */
function FillBar({ groups, choice, onFill }: FillBarProps) {
  const chosen = chosenOf(groups, choice);
  const seats = countChosen(groups, choice);
  const sides = groupBySide(chosen).map((one) => `${countChosen(one.groups, choice)} ${sideName(one.side)}`);
  const isOver = seats > MISSION_SEATS_MAX;
  return (
    <div className={classes.bar}>
      <Button disabled={chosen.length === 0} onClick={onFill}>
        Fill in ({count(seats, 'seat')})
      </Button>
      <output className={classes.sum} data-over={isOver || undefined}>
        {chosen.length} of {count(groups.length, 'group')}
        {sides.length > 1 && `: ${sides.join(', ')}`}
        {isOver && `. A mission can have at most ${MISSION_SEATS_MAX} seats.`}
      </output>
    </div>
  );
}
