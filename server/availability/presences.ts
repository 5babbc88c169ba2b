/** Pilots with their presences: the times at which they can fly, loaded in three statements for any number of pilots. */
import { db, isOneOf } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { createExpansion } from '#server/availability/rules/dated-windows.ts';
import { type PilotPresences, presencesOf } from '#server/availability/rules/pilot-presences.ts';
import { selectOverrides, selectPilots, selectSlots, toPilots } from '#server/availability/pilot-rows.ts';
import { rosterReaderOf } from '#server/availability/roster-reader.ts';
import type { Roster } from '#server/availability/rules/roster.ts';
import type { Interval } from '#server/time/intervals.ts';
import { addDays, localDate } from '#server/time/time.ts';

/** A local date is at most a day from the UTC date of the same instant, and an override may start on the day before. */
const DATE_MARGIN_DAYS = 2;

type OfIds = { ids: readonly string[] };
type Dates = { from: string; to: string };

const listPilots = named('presence_pilots', (source, { ids }: OfIds) => selectPilots(source, isOneOf('u.id', ids)));
const listSlots = named('presence_slots', (source, { ids }: OfIds) => selectSlots(source, isOneOf('u.id', ids)));
const listOverrides = named('presence_overrides', (source, { ids, from, to }: OfIds & Dates) =>
  selectOverrides(source, isOneOf('u.id', ids), { from, to }),
);

/**
 * @param pilotIds undefined for all active pilots
 * @param range half-open, epoch milliseconds
 */
export async function loadPresences(
  em: Em,
  pilotIds: readonly string[] | undefined,
  range: Interval,
  now: Date,
): Promise<PilotPresences[]> {
  const reader = pilotIds === undefined ? rosterReaderOf(em) : null;
  if (reader) return listPresences(await reader.read(em, range.startMs, now), range);
  const dates = {
    from: addDays(localDate(range.startMs, 'UTC'), -DATE_MARGIN_DAYS),
    to: addDays(localDate(range.endMs, 'UTC'), DATE_MARGIN_DAYS),
  };
  const ofPilots = pilotIds ? isOneOf('u.id', pilotIds) : isActivePilot('u');
  // a plan that was made for one pilot would be slow for thousands
  const [pilots, slots, overrides] =
    pilotIds?.length === 1
      ? [
          await listPilots(em, { ids: pilotIds }),
          await listSlots(em, { ids: pilotIds }),
          await listOverrides(em, { ids: pilotIds, ...dates }),
        ]
      : [
          await selectPilots(db(em), ofPilots).execute(),
          await selectSlots(db(em), ofPilots).execute(),
          await selectOverrides(db(em), ofPilots, dates).execute(),
        ];
  const expand = createExpansion(range.startMs, range.endMs);
  return toPilots({ pilots, slots, overrides }).map((pilot) => presencesOf(pilot, expand, now.getTime()));
}

/** All active pilots of a roster, by id. */
function listPresences(roster: Roster, range: Interval): PilotPresences[] {
  const active = Array.from(roster.all()).filter(({ isActive }) => isActive);
  active.sort((a, b) => (a.id < b.id ? -1 : 1));
  return roster.presences(active, range);
}
