import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';
import { listPopular, type AircraftRow as Row } from './aircraft-draft.ts';
import { AircraftPicker } from './aircraft-picker.tsx';
import { AircraftRow } from './aircraft-row.tsx';
import { aircraftCopy } from './aircraft-text.ts';
import classes from './aircraft-list.module.css';

interface AircraftListProps {
  rows: readonly Row[];
  catalogue: readonly AircraftDto[];
  /** the viewer may change levels that an admin has set */
  isAdmin: boolean;
  /** null removes the aircraft */
  onSet: (aircraftId: number, level: ProficiencyLevel | null) => void;
}

/**
 * Editor of a pilot's aircraft list: the most-flown aircraft as toggles, a search, and a row for each with its level. The rows
 * come last, so that the toggles stay in place.
 */
export function AircraftList({ rows, catalogue, isAdmin, onSet }: AircraftListProps) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  /** focus target after the next render: an added row, or the place of a removed one */
  const next = useRef<{ added: number } | { removedAt: number }>(undefined);
  useEffect(() => {
    const step = next.current;
    next.current = undefined;
    if (step === undefined) {
      return;
    }
    const target =
      'added' in step
        ? list.current?.querySelector<HTMLElement>(`[data-aircraft="${step.added}"] select`)
        : list.current?.children[step.removedAt]?.querySelector<HTMLElement>('button');
    (target ?? picker.current)?.focus();
  });

  const popular = listPopular(catalogue);
  const isKnown = popular.some(({ pilots }) => pilots > 0);
  const listed = new Map(rows.map((row) => [row.aircraftId, row]));
  const isFixed = ({ setByAdmin }: Row): boolean => setByAdmin && !isAdmin;

  return (
    <>
      {popular.length > 0 && (
        <div role="group" aria-labelledby={`${id}-popular`} className={classes.popular}>
          <p id={`${id}-popular`} className={classes.label}>
            {isKnown ? aircraftCopy.mostFlown : aircraftCopy.oftenFlown}
          </p>
          <div className={classes.chips}>
            {popular.map((one) => {
              const row = listed.get(one.id);
              return (
                <button
                  key={one.id}
                  type="button"
                  className={classes.chip}
                  aria-pressed={row !== undefined}
                  disabled={row !== undefined && isFixed(row)}
                  onClick={() => onSet(one.id, row === undefined ? 'basic' : null)}
                >
                  {row === undefined ? (
                    <IconPlus size={16} aria-hidden="true" />
                  ) : (
                    <IconCheck size={16} aria-hidden="true" />
                  )}
                  {one.name}
                </button>
              );
            })}
          </div>
        </div>
      )}
      <AircraftPicker
        ref={picker}
        catalogue={catalogue}
        listed={new Set(listed.keys())}
        onPick={(aircraftId) => {
          next.current = { added: aircraftId };
          onSet(aircraftId, 'basic');
        }}
      />
      {rows.length === 0 && <p className={classes.none}>{aircraftCopy.none}</p>}
      <ul ref={list} className={classes.list} aria-label="Aircraft I fly">
        {rows.map((row, index) => (
          <AircraftRow
            key={row.aircraftId}
            row={row}
            isFixed={isFixed(row)}
            onLevel={(level) => onSet(row.aircraftId, level)}
            onRemove={() => {
              next.current = { removedAt: index };
              onSet(row.aircraftId, null);
            }}
          />
        ))}
      </ul>
      <p className={classes.note}>{aircraftCopy.whyList} Lead seats go to proficient and expert pilots first.</p>
    </>
  );
}
