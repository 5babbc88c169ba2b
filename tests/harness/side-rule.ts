/** A mission of two sides with pilots of every kind, and the secrets of each side. */
import type { SideView } from '#server/planning/rules/side-rule.ts';
import type { Side } from '#shared/vocabulary.ts';
import { givenPerson, type Person } from './given.ts';
import { editMission, flightsOf, loadMission } from './mission-edits.ts';
import { givenMissionIn, respond } from './orders.ts';
import type { Service } from './service.ts';

/** What only the readers of a side's plan may know. */
export interface Secrets {
  frequencies: string[];
  crew: string[];
  texts: string[];
}

export const KINDS = ['blue', 'red', 'turncoat', 'standby', 'quitter', 'visitor'] as const;
export type ViewerKind = (typeof KINDS)[number];
type Views = Readonly<Record<ViewerKind, readonly [ofBlue: SideView, ofRed: SideView]>>;

/** What each kind of pilot sees of Blue and of Red in a mission with secret sides and in one without, written by hand. */
export const VIEWS: Readonly<Record<Secrecy, Views>> = {
  secret: {
    blue: ['plan', 'hidden'],
    red: ['hidden', 'plan'],
    /** gave a seat of Red back, then got a seat of Blue */
    turncoat: ['plan', 'hidden'],
    /** went on standby for Blue, and the frequencies changed since */
    standby: ['counts', 'counts'],
    /** declined an order of Blue */
    quitter: ['counts', 'counts'],
    visitor: ['counts', 'counts'],
  },
  open: {
    blue: ['plan', 'roster'],
    red: ['roster', 'plan'],
    turncoat: ['plan', 'roster'],
    standby: ['plan', 'roster'],
    quitter: ['roster', 'roster'],
    visitor: ['roster', 'roster'],
  },
};
export const SECRECIES = ['secret', 'open'] as const;
export type Secrecy = (typeof SECRECIES)[number];

/** Sides whose flight notes were sent to a pilot with an order, which keeps them. */
const SENT: Partial<Record<ViewerKind, Side>> = { turncoat: 1, standby: 0, quitter: 0 };

export interface TwoSides {
  secrecy: Secrecy;
  missionId: string;
  people: Record<ViewerKind, Person>;
  secrets: Record<Side, Secrets>;
}

const CALL_SIGNS: Record<ViewerKind, string> = {
  blue: 'Bluebird',
  red: 'Redwing',
  turncoat: 'Turncoat',
  standby: 'Stalwart',
  quitter: 'Quitterly',
  visitor: 'Passerby',
};

/** Blue has a flight of four and Red one of two; Bluebird and Turncoat fly for Blue, Redwing for Red. */
export async function givenTwoSides(service: Service, admin: Person, secrecy: Secrecy): Promise<TwoSides> {
  const people = {} as Record<ViewerKind, Person>;
  for (const [kind, displayName] of Object.entries(CALL_SIGNS)) {
    people[kind as ViewerKind] = await givenPerson(service, { displayName, timeZone: 'Europe/Berlin' });
  }
  const { mission } = await givenMissionIn(service, admin, 50, {
    name: 'Op Two Sides',
    // secret is the default of a mission with both sides
    ...(secrecy === 'open' && { secretSides: false }),
    aircraftSlots: [
      { aircraftId: 2, slotCount: 4, side: 0, notes: 'Strike', additionalNotes: 'Blue password swordfish' },
      { aircraftId: 4, slotCount: 2, side: 1, notes: 'CAP', additionalNotes: 'Red password clownfish' },
    ],
  });
  const flights = flightsOf(await loadMission(admin, mission.id));
  // nobody has times, so that only the admin seats pilots
  const seat = async (kind: ViewerKind, flight: number, seatIndex: number, ...responses: string[]) => {
    const path = `/admin/missions/${mission.id}/seats/${flights[flight].id}/${seatIndex}`;
    const { status, body } = await admin.client.call('PUT', path, { userId: people[kind].id });
    if (status !== 200) throw new Error(`${kind} got no seat: ${JSON.stringify(body)}`);
    for (const response of responses) {
      const answer = await respond(people[kind], { id: body.orderId }, response);
      if (answer.status !== 200) throw new Error(`${kind} could not answer: ${JSON.stringify(answer.body)}`);
    }
  };
  await seat('blue', 0, 0, 'accepted');
  await seat('red', 1, 0, 'accepted');
  await seat('standby', 0, 1, 'standby');
  await seat('quitter', 0, 1, 'declined');
  await seat('turncoat', 1, 1, 'accepted', 'declined');
  await seat('turncoat', 0, 2, 'accepted');
  const before = flights.map(({ radioFreq }) => radioFreq as string);
  await editMission(admin, mission.id, {
    flights: flights.map(({ id }, index) => ({ id, radioFreq: `${260 + index}.125` })),
  });
  const now = flightsOf(await loadMission(admin, mission.id)).map(({ radioFreq }) => radioFreq as string);
  const ofSide = (index: number, crew: ViewerKind[]): Secrets => ({
    frequencies: [before[index], now[index]].map((frequency) => String(frequency).split(' ')[0] ?? ''),
    crew: crew.map((kind) => CALL_SIGNS[kind]),
    texts: [flights[index].notes],
  });
  return {
    secrecy,
    missionId: mission.id,
    people,
    secrets: { 0: ofSide(0, ['blue', 'turncoat']), 1: ofSide(1, ['red']) },
  };
}

/** The secrets in a text that a kind of pilot may not read; everybody knows their own call sign. */
export function findLeaks(text: string, viewer: ViewerKind, { secrecy, secrets }: TwoSides): string[] {
  return ([0, 1] as const).flatMap((side) => {
    const view = VIEWS[secrecy][viewer][side];
    if (view === 'plan') return [];
    const { frequencies, crew, texts } = secrets[side];
    const others = view === 'roster' ? [] : crew.filter((name) => name !== CALL_SIGNS[viewer]);
    const unsent = view !== 'hidden' && SENT[viewer] === side ? [] : texts;
    return [...frequencies, ...others, ...unsent].filter((secret) => text.includes(secret));
  });
}
