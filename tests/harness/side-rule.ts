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

/** What each kind of pilot sees of Blue and of Red, written by hand. */
export const VIEWERS = {
  blue: ['plan', 'hidden'],
  red: ['hidden', 'plan'],
  /** gave a seat of Red back, then got a seat of Blue */
  turncoat: ['plan', 'hidden'],
  /** went on standby for Blue, and the frequencies changed since */
  standby: ['outline', 'outline'],
  /** declined an order of Blue */
  quitter: ['outline', 'outline'],
  visitor: ['outline', 'outline'],
} as const satisfies Record<string, readonly [ofBlue: SideView, ofRed: SideView]>;
export type ViewerKind = keyof typeof VIEWERS;

export interface TwoSides {
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
export async function givenTwoSides(service: Service, admin: Person): Promise<TwoSides> {
  const people = {} as Record<ViewerKind, Person>;
  for (const [kind, displayName] of Object.entries(CALL_SIGNS)) {
    people[kind as ViewerKind] = await givenPerson(service, { displayName, timeZone: 'Europe/Berlin' });
  }
  const { mission } = await givenMissionIn(service, admin, 50, {
    name: 'Op Two Sides',
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
  return { missionId: mission.id, people, secrets: { 0: ofSide(0, ['blue', 'turncoat']), 1: ofSide(1, ['red']) } };
}

/** The secrets in a text that a kind of pilot may not read; everybody knows their own call sign and was sent their order's notes. */
export function findLeaks(text: string, viewer: ViewerKind, { secrets }: Pick<TwoSides, 'secrets'>): string[] {
  return ([0, 1] as const).flatMap((side) => {
    const view = VIEWERS[viewer][side];
    if (view === 'plan') return [];
    const { frequencies, crew, texts } = secrets[side];
    const others = crew.filter((name) => name !== CALL_SIGNS[viewer]);
    return [...frequencies, ...others, ...(view === 'hidden' || viewer === 'visitor' ? texts : [])].filter((secret) =>
      text.includes(secret),
    );
  });
}
