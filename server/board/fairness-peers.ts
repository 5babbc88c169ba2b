/** A pilot's fairness beside other pilots' with the same aircraft, from the ledger that the matchmaking reads. */
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, nameForAdmins } from '#server/schema/predicates.ts';
import { findUser } from '#server/accounts/users.ts';
import { shownEmail } from '#server/accounts/email.ts';
import { loadSeatShares } from '#server/accounts/pilots/fairness.ts';
import { PEERS_BESIDE } from '#shared/limits.ts';
import type { FairnessDto } from '#shared/schemas/track-record.ts';

const NO_SHARE = { seats: 0, fairShare: 0, debt: 0 };

/** The pilot and the active pilots who list at least one of the pilot's aircraft, the most owed first. Unknown id: 404. */
export async function comparePeers(em: Em, id: string, now: Date): Promise<FairnessDto> {
  const user = await findUser(em, id);
  const aircraft = await db(em)
    .selectFrom('proficiency as p')
    .innerJoin('aircraft as a', 'a.id', 'p.aircraft_id')
    .select(['a.id', 'a.name'])
    .where('p.user_id', '=', id)
    .orderBy('a.name')
    .execute();
  const others = await db(em)
    .selectFrom('app_user as u')
    .select(['u.id as pilotId', nameForAdmins('u').as('name')])
    .where(isActivePilot('u'))
    .where('u.id', '<>', id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('proficiency as p')
          .select('p.user_id')
          .whereRef('p.user_id', '=', 'u.id')
          .where(
            isOneOf(
              'p.aircraft_id',
              aircraft.map(({ id: aircraftId }) => aircraftId),
            ),
          ),
      ),
    )
    .execute();
  const pilots = [{ pilotId: id, name: user.displayName ?? user.email }, ...others];
  const shares = await loadSeatShares(
    em,
    now,
    pilots.map(({ pilotId }) => pilotId),
  );
  const ranked = pilots
    .map(({ pilotId, name }) => ({
      pilotId,
      name: shownEmail(name) || 'Pilot',
      ...(shares.get(pilotId) ?? NO_SHARE),
    }))
    .toSorted((a, b) => b.debt - a.debt || a.name.localeCompare(b.name, 'en') || (a.pilotId < b.pilotId ? -1 : 1));
  const index = ranked.findIndex(({ pilotId }) => pilotId === id);
  return {
    place: index + 1,
    total: ranked.length,
    aircraft: aircraft.map(({ name }) => name),
    peers: ranked.slice(Math.max(0, index - PEERS_BESIDE), index + PEERS_BESIDE + 1),
  };
}
