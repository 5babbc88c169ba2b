/** The pilots of a recommended time as its sentence needs them: what they could fly at that time. */
import type { Presence } from '#server/availability/rules/dated-windows.ts';
import type { Roster, RosterPilot } from '#server/availability/rules/roster.ts';
import type { Interval } from '#server/time/intervals.ts';

type Flyer = { readonly presences: readonly Presence[]; readonly levels: RosterPilot['levels'] };

/**
 * Pilots who are free throughout a time, with their presences. Those whose slots at that time are all for one aircraft (or
 * for any) share them: with thousands of pilots, working out everybody's would take most of the time.
 */
export function flyersOf(roster: Roster, handles: Int32Array, time: Interval): Flyer[] {
  const shared = new Map<RosterPilot['levels'], Map<number | null, Flyer>>();
  const others: RosterPilot[] = [];
  const flyers: Flyer[] = [];
  for (const handle of handles) {
    const pilot = roster.pilot(handle);
    const [first, ...rest] = roster.slotsDuring(handle, time) ?? [];
    if (!first || rest.some(({ aircraftId }) => aircraftId !== first.aircraftId)) {
      others.push(pilot);
      continue;
    }
    const { aircraftId } = first;
    const byAircraft = shared.get(pilot.levels) ?? new Map<number | null, Flyer>();
    shared.set(pilot.levels, byAircraft);
    const flyer = byAircraft.get(aircraftId) ?? {
      levels: pilot.levels,
      presences: [{ ...time, aircraftId, source: 'template', notes: null }],
    };
    byAircraft.set(aircraftId, flyer);
    flyers.push(flyer);
  }
  const presences = roster.presences(others, time);
  for (const [index, pilot] of others.entries()) {
    flyers.push({ levels: pilot.levels, presences: presences[index]?.presences ?? [] });
  }
  return flyers;
}
