import { TextInput } from '@mantine/core';
import { useId, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { findAircraft } from './aircraft-draft.ts';
import classes from './aircraft-picker.module.css';

interface AircraftPickerProps {
  catalogue: readonly AircraftDto[];
  /** ids already on the pilot's list */
  listed: ReadonlySet<number>;
  onPick: (aircraftId: number) => void;
  ref?: Ref<HTMLInputElement>;
}

/** Combobox that searches the aircraft list; arrow keys and Enter, or a click, choose one. */
export function AircraftPicker({ catalogue, listed, onPick, ref }: AircraftPickerProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const found = findAircraft(catalogue, listed, search);
  const isShown = isOpen && found.length > 0;
  const isLost = isOpen && found.length === 0 && search.trim() !== '';

  const close = (): void => {
    setOpen(false);
    setActive(0);
  };
  const pick = (aircraftId: number): void => {
    setSearch('');
    close();
    onPick(aircraftId);
  };
  const move = (to: number): void => {
    setOpen(true);
    const next = (to + found.length) % Math.max(found.length, 1);
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = found[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(isOpen ? active + (event.key === 'ArrowDown' ? 1 : -1) : 0);
    } else if (event.key === 'Enter') {
      // Enter chooses and must not submit the surrounding form.
      event.preventDefault();
      if (isShown && chosen) {
        pick(chosen.id);
      }
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    }
  };

  return (
    <div
      className={classes.picker}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) {
          close();
        }
      }}
    >
      <TextInput
        ref={ref}
        label="Add an aircraft"
        placeholder="Name or code"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && found[active] ? `${id}-${found[active].id}` : undefined}
        value={search}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onChange={({ currentTarget }) => {
          setSearch(currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        tabIndex={-1}
        aria-label="Aircraft to add"
        className={classes.list}
        hidden={!isShown}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
      >
        {found.map((one, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles keys
          <div
            key={one.id}
            id={`${id}-${one.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={classes.option}
            onClick={() => pick(one.id)}
          >
            {one.name}
            <span className={classes.code}>{one.code}</span>
          </div>
        ))}
      </div>
      <output className={classes.lost}>{isLost && `No aircraft is called "${search.trim()}".`}</output>
    </div>
  );
}
