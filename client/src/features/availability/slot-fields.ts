import { screenCopy } from '#client/lib/screen-text.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { ANY_AIRCRAFT } from './week.ts';

/** What an aircraft value of the form is called. */
export function aircraftName(value: string, aircraft: readonly AircraftDto[]): string {
  if (value === '') {
    return 'Select aircraft';
  }
  if (value === ANY_AIRCRAFT) {
    return screenCopy.anyAircraft;
  }
  return aircraft.find(({ id }) => String(id) === value)?.name ?? `Aircraft ${value} (retired)`;
}

/** 'Any Aircraft' and the list; a chosen aircraft that left the list keeps its place, and so does "none yet". */
export function aircraftOptions(chosen: string, aircraft: readonly AircraftDto[]) {
  const values = [ANY_AIRCRAFT, ...aircraft.map(({ id }) => String(id))];
  const shown = chosen === '' ? ['', ...values] : values.includes(chosen) ? values : [...values, chosen];
  return shown.map((value) => ({ value, label: aircraftName(value, aircraft) }));
}
