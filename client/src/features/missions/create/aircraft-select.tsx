import { NativeSelect } from '@mantine/core';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { MissionRole } from '#shared/vocabulary.ts';
import { findTyped, groupAircraft } from './mission-draft.ts';

/** Letters typed within this time belong together. */
const PAUSE_MS = 1_000;

interface AircraftSelectProps {
  className: string | undefined;
  aircraft: readonly AircraftDto[];
  role: MissionRole;
  /** id of an aircraft as text */
  value: string;
  error: ReactNode;
  path: string;
  onChange: (aircraftId: string) => void;
}

/** Select of an aircraft, in groups. Typing any word of a name or code finds it: browsers only look at the first word. */
export function AircraftSelect({ className, aircraft, role, value, error, path, onChange }: AircraftSelectProps) {
  const typed = useRef({ text: '', atMs: 0 });
  const groups = groupAircraft(aircraft, role);
  const search = (event: KeyboardEvent<HTMLSelectElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !/^[\p{L}\p{N}/-]$/u.test(event.key)) return;
    event.preventDefault();
    const { text, atMs } = typed.current;
    typed.current = { text: (event.timeStamp - atMs < PAUSE_MS ? text : '') + event.key, atMs: event.timeStamp };
    const shown = groups.flatMap(({ items }) => items);
    const found = findTyped(shown, typed.current.text, value);
    if (found) onChange(String(found.id));
  };
  const data = groups.map(({ group, items }) => ({
    group,
    items: items.map(({ id, name, code }) => ({ value: String(id), label: `${name} (${code})` })),
  }));
  return (
    <NativeSelect
      label="Aircraft"
      className={className}
      // a single group needs no name
      data={data.length === 1 ? data.flatMap(({ items }) => items) : data}
      value={value}
      error={error}
      data-path={path}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onKeyDown={search}
    />
  );
}
