import { Button } from '@mantine/core';
import { FormError } from '#client/components/form-error.tsx';
import type { UploadedGroup } from '#shared/schemas/mission-file.ts';
import { Folded } from './folded.tsx';
import { sizeWords } from './mission-file-groups.ts';
import { findTypes, useAddTypes, type MissingType } from './use-add-types.ts';
import classes from './missing-types.module.css';

interface MissingTypesProps {
  /** groups whose type is missing */
  groups: readonly UploadedGroup[];
  onAdded: (ids: ReadonlyMap<string, number>) => void;
}

/** The types of a mission file that are not in the aircraft list, with buttons that add all of them or one. */
export function MissingTypes({ groups, onAdded }: MissingTypesProps) {
  const { add, adding, error } = useAddTypes(onAdded);
  const types = findTypes(groups);
  const rows = types.map((missing) => (
    <TypeRow
      key={missing.type}
      missing={missing}
      isAlone={types.length === 1}
      adding={adding}
      onAdd={() => void add([missing])}
    />
  ));
  return (
    <div>
      <FormError message={error} />
      {types.length === 1 ? (
        rows
      ) : (
        <>
          <p className={classes.row}>
            <span>
              <strong>{types.length} types</strong> aren&apos;t in your aircraft list: {sizeWords(groups)}.
            </span>
            <Button
              variant="light"
              size="xs"
              loading={adding.length > 1}
              disabled={adding.length === 1}
              onClick={() => void add(types)}
            >
              Add the {types.length} missing types
            </Button>
          </p>
          <Folded summary="Show the missing types">
            <div className={classes.types}>{rows}</div>
          </Folded>
        </>
      )}
    </div>
  );
}

interface TypeRowProps {
  missing: MissingType;
  /** the only one, with a whole sentence */
  isAlone: boolean;
  adding: readonly MissingType[];
  onAdd: () => void;
}

function TypeRow({ missing: { type, aircraftName, groups }, isAlone, adding, onAdd }: TypeRowProps) {
  const isAdded = adding.length === 1 && adding[0]?.type === type;
  return (
    <p className={classes.row}>
      <span>
        <strong>{type}</strong>
        {isAlone ? ` isn't in your aircraft list: ${sizeWords(groups)}.` : `: ${sizeWords(groups)}`}
      </span>
      <Button variant="light" size="xs" loading={isAdded} disabled={!isAdded && adding.length > 0} onClick={onAdd}>
        Add {aircraftName}
      </Button>
    </p>
  );
}
