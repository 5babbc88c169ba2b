import { screenCopy } from '#client/lib/screen-text.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { ANY_AIRCRAFT } from './week.ts';

/** Label of an aircraft value in the form. */
export function aircraftName(value: string, aircraft: readonly AircraftDto[]): string {
  if (value === '') {
    return 'Select aircraft';
  }
  if (value === ANY_AIRCRAFT) {
    return screenCopy.anyAircraft;
  }
  return aircraft.find(({ id }) => String(id) === value)?.name ?? `Aircraft ${value} (retired)`;
}

/** Aircraft options: 'Any Aircraft', the list, and the chosen value when it is retired or empty. */
export function aircraftOptions(chosen: string, aircraft: readonly AircraftDto[]) {
  const values = [ANY_AIRCRAFT, ...aircraft.map(({ id }) => String(id))];
  const shown = chosen === '' ? ['', ...values] : values.includes(chosen) ? values : [...values, chosen];
  return shown.map((value) => ({ value, label: aircraftName(value, aircraft) }));
}
