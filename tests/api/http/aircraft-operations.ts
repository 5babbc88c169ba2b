/** The operations of aircraft types, the community's own type that they are about, and the shapes of their answers. */
import { query, sql } from '#server/schema/query.ts';
import type { Service } from '#tests/harness/service.ts';
import type { Operation } from './operations.ts';

export const OWN_AIRCRAFT_ID = 1_001;
const NO_AIRCRAFT = 32_000;
export const OWN_AIRCRAFT = { code: 'Bf-109K-4', name: 'Bf 109 K-4 Kurfürst', seats: 1, roles: ['CAP', 'Intercept'] };

let added = 0;

export const AIRCRAFT_OPERATIONS: Record<string, Operation> = {
  'admin.aircraft.list': { policy: 'admin', input: () => undefined },
  'admin.aircraft.create': {
    policy: 'admin',
    // each call adds another one, since codes and names are unique
    input: () => ({ code: `P-51D ${(added += 1)}`, name: `Mustang ${added}`, seats: 1, roles: ['CAP'] }),
  },
  'admin.aircraft.update': { policy: 'admin', input: () => ({ id: OWN_AIRCRAFT_ID, ...OWN_AIRCRAFT, seats: 2 }) },
  'admin.aircraft.offer': { policy: 'admin', input: () => ({ ids: [OWN_AIRCRAFT_ID], active: true }) },
  'admin.aircraft.remove': {
    policy: 'admin',
    input: () => ({ id: NO_AIRCRAFT }),
    refusal: ['AIRCRAFT_TYPE_NOT_FOUND', 'This aircraft does not exist'],
  },
};

/** A type of the community's own. */
export async function givenOwnAircraft({ app }: Service): Promise<void> {
  const { code, name, seats, roles } = OWN_AIRCRAFT;
  await query(
    app.orm.em.fork(),
    sql`insert into aircraft (id, code, name, seats, roles, active)
        values (${OWN_AIRCRAFT_ID}, ${code}, ${name}, ${seats}, ${roles}, true)`,
  );
}

const AIRCRAFT_TYPE = {
  id: 'number',
  code: 'text',
  name: 'text',
  seats: 'number',
  roles: ['text'],
  active: 'flag',
  isOwn: 'flag',
  pilots: 'number',
  missions: 'number',
} as const;

export const AIRCRAFT_SHAPES = { aircraftTypes: [AIRCRAFT_TYPE], aircraftType: AIRCRAFT_TYPE } as const;
