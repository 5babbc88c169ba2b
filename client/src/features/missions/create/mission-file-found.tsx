import { Button } from '@mantine/core';
import { useState } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { Fact, Facts } from '#client/components/fact.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { count } from '#client/features/missions/mission-text.ts';
import { errorMessage } from '#client/lib/errors.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { sideName } from '#shared/labels.ts';
import { AIRCRAFT } from '#shared/limits.ts';
import type { UploadedGroup, UploadedMissionFile } from '#shared/schemas/mission-file.ts';
import type { MissionDraft } from './mission-draft.ts';
import { draftOfFile, isTyped } from './mission-file-draft.ts';
import classes from './mission-file-panel.module.css';

interface MissionFileFoundProps {
  file: UploadedMissionFile;
  draft: MissionDraft;
  onFill: (values: Partial<MissionDraft>) => void;
  onClose: () => void;
}

const toggled = (set: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> =>
  new Set(isIn ? [...set, id] : [...set].filter((one) => one !== id));

/** The content of a mission file with a choice for each group, and the button that fills in the form. Takes the focus. */
export function MissionFileFound({ file, draft, onFill, onClose }: MissionFileFoundProps) {
  const [without, setWithout] = useState<ReadonlySet<number>>(new Set());
  const [withSecond, setWithSecond] = useState<ReadonlySet<number>>(new Set());
  /** ids of types that were added since the file was read */
  const [added, setAdded] = useState<ReadonlyMap<string, number>>(new Map());
  const [isAsking, setAsking] = useState(false);
  const groups = file.groups.map((group) => ({
    ...group,
    aircraftId: group.aircraftId ?? added.get(group.type) ?? null,
  }));
  const known = groups.filter(({ aircraftId }) => aircraftId !== null);
  const unknown = groups.filter(({ aircraftId }) => aircraftId === null);
  const chosen = known.filter(({ groupId }) => !without.has(groupId));
  const seats = chosen.reduce((sum, { groupId, units }) => sum + units.length * (withSecond.has(groupId) ? 2 : 1), 0);
  const fill = (): void => onFill(draftOfFile(draft, { ...file, groups }, { without, withSecond }));
  return (
    <div className={classes.found}>
      <Facts>
        <Fact label="File">{file.name}</Fact>
        <Fact label="Title">{file.title || 'none'}</Fact>
        <Fact label="Theater">{file.theater ?? `${file.mapName} (unknown)`}</Fact>
        <Fact label="Start in the game">
          {[file.date, file.time].filter((part) => part !== null).join(' ') || 'none'}
        </Fact>
        <Fact label="Weather">{file.weather || 'none'}</Fact>
      </Facts>
      {file.problems.length > 0 && (
        <ul className={classes.problems} aria-label="Problems">
          {file.problems.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {[...Map.groupBy(unknown, ({ type }) => type).values()].map((ofType) => (
        <UnknownType
          key={ofType[0]?.type}
          groups={ofType}
          onAdded={(type, id) => setAdded(new Map(added).set(type, id))}
        />
      ))}
      {known.length > 0 && (
        <ul className={classes.groups} aria-label="Groups of the file">
          {known.map((group) => (
            <li key={group.groupId} className={classes.group}>
              <Choice
                label={group.name || `Group ${group.groupId}`}
                meaning={wordsOf(group)}
                checked={!without.has(group.groupId)}
                onChange={(isTaken) => setWithout(toggled(without, group.groupId, !isTaken))}
              />
              {group.crewStations > 1 && !without.has(group.groupId) && (
                <div className={classes.second}>
                  <Choice
                    label={`Add a seat for the second crew member of ${group.name}`}
                    meaning={`${count(group.units.length, 'more seat')}, in flights of their own`}
                    checked={withSecond.has(group.groupId)}
                    onChange={(isTaken) => setWithSecond(toggled(withSecond, group.groupId, isTaken))}
                  />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className={classes.buttons}>
        <Button disabled={chosen.length === 0} onClick={() => (isTyped(draft) ? setAsking(true) : fill())}>
          Fill in the form ({count(seats, 'seat')})
        </Button>
        <Button variant="default" onClick={onClose}>
          Choose another file
        </Button>
      </div>
      <ConfirmModal
        opened={isAsking}
        title="Replace what the form has?"
        confirmLabel="Replace"
        cancelLabel="Keep it"
        onConfirm={fill}
        onClose={() => setAsking(false)}
      >
        Name, theater, notes and aircraft come from the file. Times, links and servers stay.
      </ConfirmModal>
    </div>
  );
}

/** `4 × F/A-18C Hornet, CAP, Blue, Enfield 1, 251.000 AM` */
function wordsOf({ units, aircraftName, crewStations, role, task, side, callsign, frequency }: UploadedGroup): string {
  const crew = crewStations > 1 ? `${aircraftName} with ${crewStations} crew stations` : aircraftName;
  const asked = task === null || task === role ? role : `${role} (${task})`;
  const parts = [`${units.length} × ${crew}`, asked, sideName(side), callsign, frequency];
  return parts.filter((part) => part !== null).join(', ');
}

interface UnknownTypeProps {
  /** groups of one type */
  groups: readonly UploadedGroup[];
  onAdded: (type: string, aircraftId: number) => void;
}

/** The groups of a type that Marshal does not have, with the button that adds the type. */
function UnknownType({ groups, onAdded }: UnknownTypeProps) {
  const utils = trpc.useUtils();
  const [error, setError] = useState<string | null>(null);
  const [first] = groups;
  const create = trpc.admin.aircraft.create.useMutation({
    onSuccess: async ({ id }) => {
      void utils.admin.aircraft.invalidate();
      await utils.availability.aircraft.invalidate();
      if (first) onAdded(first.type, id);
    },
    onError: (cause) => setError(errorMessage(cause, copy.unknownError)),
  });
  if (!first) return null;
  const { type, aircraftName, crewStations, usualRoles, role } = first;
  const seats = groups.reduce((sum, { units }) => sum + units.length, 0);
  return (
    <div>
      <FormError message={error} />
      <p className={classes.unknown}>
        <span>
          Marshal does not have <strong>{type}</strong>: {count(groups.length, 'group')}, {count(seats, 'seat')}.
        </span>
        <Button
          variant="light"
          size="xs"
          loading={create.isPending}
          onClick={() =>
            create.mutate({
              code: type.slice(0, AIRCRAFT.codeLength),
              name: aircraftName.slice(0, AIRCRAFT.nameLength),
              seats: crewStations,
              roles: usualRoles.length > 0 ? usualRoles : [role],
            })
          }
        >
          Add {aircraftName}
        </Button>
      </p>
    </div>
  );
}
