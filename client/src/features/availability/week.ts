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

/** 'Any Aircraft' as a form holds it. */
export const ANY_AIRCRAFT = String(ANY_AIRCRAFT_ID);

let lastKey = 0;

/** Identity of a new slot in the form. */
export function nextKey(): string {
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

/** A new slot: 18:00 to 22:00, with the aircraft last chosen in this form, if any. */
export function newRow(weekday: number, rows: readonly SlotRow[]): SlotRow {
  const aircraft = rows.findLast((row) => row.aircraft !== '')?.aircraft ?? '';
  return { key: nextKey(), weekday, ...SLOT_DEFAULT, aircraft, notes: null };
}

/** True for a slot that runs into the next day; one that ends at midnight does not. */
export function isOvernight({ startLocal, endLocal }: SlotRow): boolean {
  return endLocal !== '' && endLocal !== '00:00' && endLocal < startLocal;
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
