/** Callsigns of flights and packages, as air forces and the game use them. */
import { SIDES, type MissionRole, type Side } from '#shared/vocabulary.ts';

const GENERIC = ['Enfield', 'Springfield', 'Uzi', 'Colt', 'Dodge', 'Ford', 'Chevy', 'Pontiac'];
const AWACS = ['Overlord', 'Magic', 'Wizard', 'Focus', 'Darkstar'];
const TANKER = ['Texaco', 'Arco', 'Shell'];

const BY_ROLE: Partial<Record<MissionRole, readonly string[]>> = { AWACS, Tanker: TANKER };

const BY_AIRCRAFT: Readonly<Record<string, readonly string[]>> = {
  'F-16C_50': ['Viper', 'Venom', 'Lobo', 'Cowboy', 'Python', 'Rattler', 'Panther', 'Wolf', 'Weasel', 'Ninja', 'Jedi'],
  'FA-18C_hornet': [
    'Hornet',
    'Squid',
    'Ragin',
    'Roman',
    'Sting',
    'Jury',
    'Joker',
    'Ram',
    'Hawk',
    'Devil',
    'Check',
    'Snake',
  ],
  'A-10C_2': ['Hawg', 'Boar', 'Pig', 'Tusk'],
  'F-15ESE': ['Dude', 'Thud', 'Gunny', 'Mad', 'Trek', 'Sniper', 'Sled', 'Best', 'Jazz', 'Rage', 'Tahoe'],
  'AH-64D_BLK_II': [
    'ArmyAir',
    'Apache',
    'Crow',
    'Chaos',
    'Sioux',
    'Gatling',
    'Gunslinger',
    'Hammerhead',
    'Bootleg',
    'Palehorse',
    'Carnivore',
    'Saber',
  ],
  OH58D: ['Anvil', 'Azrael', 'Blackjack', 'Crazyhorse', 'Darkhorse', 'Lighthorse', 'Outcast', 'Pegasus'],
};

/** From the ICAO alphabet: more than a mission can have packages (two sides, five role groups). */
const PACKAGE_CALLSIGNS = [
  'ALPHA',
  'BRAVO',
  'CHARLIE',
  'DELTA',
  'ECHO',
  'FOXTROT',
  'GOLF',
  'HOTEL',
  'INDIA',
  'JULIETT',
  'KILO',
  'LIMA',
];

interface CallsignFlight {
  readonly code: string;
  readonly role: MissionRole;
  readonly side: Side;
}

function namesFor({ code, role, side }: CallsignFlight): string[] {
  const own = side === SIDES.red ? [] : (BY_ROLE[role] ?? BY_AIRCRAFT[code] ?? []);
  return [...own, ...GENERIC];
}

/** True if a flight whose aircraft, role or side has changed can keep its callsign. */
export function suitsCallsign(callsign: string, flight: CallsignFlight): boolean {
  return namesFor(flight).includes(callsign.replace(/ \d+$/, ''));
}

/**
 * The first free callsign for a flight: the names of its role (tanker, AWACS) or aircraft type in order, then the generic
 * ones, then the same with the next number. The red side uses generic names only.
 * @param taken callsigns in use by this mission and those that overlap it, such as "Viper 1"
 */
export function allocateCallsign(flight: CallsignFlight, taken: ReadonlySet<string>): string {
  const names = namesFor(flight);
  for (let number = 1; ; number++) {
    for (const name of names) {
      const callsign = `${name} ${number}`;
      if (!taken.has(callsign)) return callsign;
    }
  }
}

/** ALPHA, BRAVO … for the packages of one mission, 0-based. */
export function packageCallsign(index: number): string {
  return PACKAGE_CALLSIGNS[index] ?? `PACKAGE ${index + 1}`;
}
