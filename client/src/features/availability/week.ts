import { ANY_AIRCRAFT_ID, SLOT_DEFAULT } from '#shared/limits.ts';
import type { SlotInput, TemplateDto } from '#shared/schemas/availability.ts';

/** One time slot of the form. Wall times `HH:mm` in the pilot's zone; '' while the field is empty. */
export interface SlotRow {
  /** identity in the form only */
  key: string;
  /** 0 is Sunday */
  weekday: number;
  startLocal: string;
  endLocal: string;
  /** aircraft id as text, '0' any aircraft, '' not chosen yet */
  aircraft: string;
  notes: string | null;
}

const ANY = String(ANY_AIRCRAFT_ID);
const WEEKNIGHTS = [1, 2, 3, 4, 5] as const;
const WEEKEND = [0, 6] as const;

let lastKey = 0;

function nextKey(): string {
  lastKey += 1;
  return `slot-${lastKey}`;
}

/** The saved template as rows, by day and time; [] without a template. */
export function rowsOfTemplate(template: TemplateDto | undefined): SlotRow[] {
  return (template?.slots ?? [])
    .map(({ weekday, startLocal, endLocal, aircraftCodeId, notes }) => {
      return { key: nextKey(), weekday, startLocal, endLocal, aircraft: String(aircraftCodeId), notes };
    })
    .toSorted((a, b) => a.weekday - b.weekday || a.startLocal.localeCompare(b.startLocal));
}

/** A row in the contract's shape. An aircraft not yet chosen stays undefined, so that the schema refuses it. */
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

function defaultRow(weekday: number, aircraft: string): SlotRow {
  return { key: nextKey(), weekday, ...SLOT_DEFAULT, aircraft, notes: null };
}

/** A new slot: 18:00 to 22:00, with the aircraft last chosen in this form, if any. */
export function newRow(weekday: number, rows: readonly SlotRow[]): SlotRow {
  return defaultRow(weekday, rows.findLast((row) => row.aircraft !== '')?.aircraft ?? '');
}

/** True for a slot that runs into the next day; one that ends at midnight does not. */
export function isOvernight({ startLocal, endLocal }: SlotRow): boolean {
  return endLocal !== '' && endLocal !== '00:00' && endLocal < startLocal;
}

/** Add 18:00 to 22:00, any aircraft, to those days of the preset that are still empty. */
export function fillPreset(preset: 'weeknights' | 'weekend', rows: readonly SlotRow[]): SlotRow[] {
  const days = preset === 'weeknights' ? WEEKNIGHTS : WEEKEND;
  const added = days
    .filter((weekday) => !rows.some((row) => row.weekday === weekday))
    .map((weekday) => defaultRow(weekday, ANY));
  return [...rows, ...added];
}

function fingerprint({ weekday, startLocal, endLocal, aircraft, notes }: SlotRow): string {
  return JSON.stringify([weekday, startLocal, endLocal, aircraft, notes]);
}

/** How many slots were added, removed or altered since the last save. */
export function countChanges(saved: readonly SlotRow[], current: readonly SlotRow[]): number {
  const before = new Map(saved.map((row) => [row.key, fingerprint(row)]));
  const kept = current.filter((row) => before.has(row.key));
  const altered = kept.filter((row) => before.get(row.key) !== fingerprint(row)).length;
  return altered + (current.length - kept.length) + (saved.length - kept.length);
}
