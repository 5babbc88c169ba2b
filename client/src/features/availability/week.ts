import { ANY_AIRCRAFT_ID, SLOT_DEFAULT } from '#shared/limits.ts';
import type { SlotInput, TemplateDto } from '#shared/schemas/availability.ts';
import { DAY_MINUTES, spanOf } from './week-spans.ts';

/** One time slot of the form. Local times `HH:mm` in the pilot's zone; '' or other text while a field is edited. */
export interface SlotRow {
  /** key within the form, not stored */
  key: string;
  /** 0 is Sunday */
  weekday: number;
  startLocal: string;
  endLocal: string;
  /** aircraft id as text; '0' for any aircraft, '' for none chosen */
  aircraft: string;
  notes: string | null;
}

/** Form value of 'Any Aircraft'. */
export const ANY_AIRCRAFT = String(ANY_AIRCRAFT_ID);

let lastKey = 0;

/** Key of a new slot. */
export function nextKey(): string {
  lastKey += 1;
  return `slot-${lastKey}`;
}

/** Rows of a template, by day and time; [] without a template. */
export function rowsOfTemplate(template: TemplateDto | undefined): SlotRow[] {
  return (template?.slots ?? [])
    .map(({ weekday, startLocal, endLocal, aircraftCodeId, notes }) => {
      return { key: nextKey(), weekday, startLocal, endLocal, aircraft: String(aircraftCodeId), notes };
    })
    .toSorted((a, b) => a.weekday - b.weekday || a.startLocal.localeCompare(b.startLocal));
}

/** Rows of slots that were sent or are kept. */
export function rowsOfSlots(slots: readonly SlotInput[]): SlotRow[] {
  return slots.map(({ aircraftCodeId, notes, ...slot }) => ({
    ...slot,
    key: nextKey(),
    aircraft: String(aircraftCodeId),
    notes: notes ?? null,
  }));
}

/** True for weeks with the same slots, whatever their keys. */
export function isSameWeek(one: readonly SlotRow[], other: readonly SlotRow[]): boolean {
  return one.length === other.length && onlyIn(one, other).length === 0;
}

/** A row as API input. An aircraft that is not chosen becomes undefined, so that the schema refuses it. */
export function slotOfRow({
  weekday,
  startLocal,
  endLocal,
  aircraft,
  notes,
}: SlotRow): Omit<SlotInput, 'aircraftCodeId'> & { aircraftCodeId: number | undefined } {
  return {
    weekday,
    startLocal,
    endLocal,
    aircraftCodeId: aircraft === '' ? undefined : Number(aircraft),
    notes,
  };
}

/** A new slot: 18:00 to 22:00, with the aircraft last chosen in this form. */
export function newRow(weekday: number, rows: readonly SlotRow[]): SlotRow {
  const aircraft = rows.findLast((row) => row.aircraft !== '')?.aircraft ?? '';
  return { key: nextKey(), weekday, ...SLOT_DEFAULT, aircraft, notes: null };
}

/** True for a slot that ends on the next day, later than midnight. */
export function isOvernight(slot: SlotRow): boolean {
  return (spanOf(slot)?.end ?? 0) > DAY_MINUTES;
}

function fingerprint({ weekday, startLocal, endLocal, aircraft, notes }: SlotRow): string {
  return JSON.stringify([weekday, startLocal, endLocal, aircraft, notes]);
}

/** The slots of a week that another week does not have, whatever their keys. */
export function onlyIn(week: readonly SlotRow[], other: readonly SlotRow[]): SlotRow[] {
  const known = new Set(other.map(fingerprint));
  return week.filter((row) => !known.has(fingerprint(row)));
}

/** A week with the keys that another one has for the same slots, so that changes between the two count once. */
export function withKeysOf(other: readonly SlotRow[], week: readonly SlotRow[]): SlotRow[] {
  const known = Map.groupBy(other, fingerprint);
  return week.map((row) => ({ ...row, key: known.get(fingerprint(row))?.shift()?.key ?? row.key }));
}

/** Number of slots added, removed or changed since the last save. */
export function countChanges(saved: readonly SlotRow[], current: readonly SlotRow[]): number {
  const before = new Map(saved.map((row) => [row.key, fingerprint(row)]));
  const kept = current.filter((row) => before.has(row.key));
  const altered = kept.filter((row) => before.get(row.key) !== fingerprint(row)).length;
  return altered + (current.length - kept.length) + (saved.length - kept.length);
}
