/**
 * The side rule on every surface that is not drawn in a browser: no kind of pilot reads a frequency or a crew of a side that
 * is not theirs. `tests/ui/side-rule.test.ts` has the pages and the paper.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { loadKneeboard } from '#server/missions/briefing/kneeboard.ts';
import { loadCard } from '#server/discord/outbox/mission-cards.ts';
import { loadOrderCard } from '#server/discord/outbox/order-messages.ts';
import { missionCard } from '#server/discord/rules/mission-card.ts';
import { selectOrders } from '#server/orders/order-view.ts';
import { composeMessage } from '#server/delivery/push/order-push.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { query, sql } from '#server/schema/query.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findLeaks, givenTwoSides, type TwoSides, VIEWERS, type ViewerKind } from '#tests/harness/side-rule.ts';
import { openStream } from '#tests/harness/stream.ts';

let service: Service;
let admin: Person;
let world: TwoSides;
/** of each pilot, the ids of all their orders, withdrawn ones too */
let ordersOf: Map<string, string[]>;

beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  world = await givenTwoSides(service, admin);
  const rows = await query<{ id: string; pilotId: string }>(
    service.app.orm.em.fork(),
    sql`select id, pilot_id as "pilotId" from frag_order where mission_id = ${world.missionId}`,
  );
  ordersOf = new Map(
    [...Map.groupBy(rows, ({ pilotId }) => pilotId)].map(([id, own]) => [id, own.map((row) => row.id)]),
  );
});
afterAll(() => service.stop());

const call = async ({ client }: Person, path: string): Promise<string> =>
  JSON.stringify((await client.call('GET', path)).body);
/** A calendar without its line breaks, which fall into any word: where they do depends on the hour of the mission. */
const file = async ({ client }: Person, url: string): Promise<string> =>
  (await (await fetch(url, { headers: { cookie: client.cookie() } })).text()).replaceAll('\r\n ', '');
const ofEach = async (person: Person, read: (orderId: string) => Promise<unknown>): Promise<string> => {
  const texts: unknown[] = [];
  for (const id of ordersOf.get(person.id) ?? []) texts.push(await read(id));
  return JSON.stringify(texts);
};

/**
 * What a person reads on each surface, as text. `own` are the surfaces on which a pilot with a seat reads the frequency of
 * their own flight, which shows that the text is the real one.
 */
const SURFACES: Record<string, { read: (person: Person) => Promise<string>; showsOwn?: true }> = {
  mission: { read: (person) => call(person, `/missions/${world.missionId}`), showsOwn: true },
  calendar: { read: (person) => call(person, '/missions') },
  order: {
    read: (person) => ofEach(person, async (id) => (await person.client.call('GET', `/pilot/inbox/${id}`)).body),
    showsOwn: true,
  },
  inbox: { read: (person) => call(person, '/pilot/inbox?includeCompleted=true') },
  tile: { read: (person) => call(person, '/pilot/inbox/accepted'), showsOwn: true },
  notices: { read: (person) => call(person, '/pilot/notices') },
  'open seats': { read: (person) => call(person, '/pilot/openings') },
  swaps: {
    read: async (person) =>
      (await call(person, '/pilot/swaps')) +
      (await ofEach(person, (id) => call(person, `/pilot/inbox/${id}/swap-partners`))),
  },
  'calendar file': {
    read: (person) => ofEach(person, (id) => file(person, `${service.url}/api/v1/pilot/inbox/${id}/calendar.ics`)),
    showsOwn: true,
  },
  'calendar feed': {
    read: async (person) => file(person, (await person.client.call('POST', '/pilot/calendar')).body.url),
    showsOwn: true,
  },
  // the picture is drawn from this text and from nothing else
  'kneeboard PNG': {
    read: (person) =>
      ofEach(person, (id) =>
        loadKneeboard(service.app.orm.em.fork(), person, id, service.url, new Date()).catch(
          (error: Error) => error.message,
        ),
      ),
    showsOwn: true,
  },
  'direct message': {
    read: (person) =>
      ofEach(person, (id) => loadOrderCard(service.app.orm.em.fork(), id, service.url, new Date(), englishTexts)),
  },
  'notification and email': {
    read: (person) =>
      ofEach(person, async (id) => {
        const em = service.app.orm.em.fork();
        const row = await selectOrders(em).where('o.id', '=', id).executeTakeFirstOrThrow();
        return Promise.all((['order', 'change'] as const).map((kind) => composeMessage(em, row, kind, new Date())));
      }),
  },
  'live events': {
    read: async ({ id, client }) => {
      const stream = await openStream(service, client.cookie());
      await stream.next('all');
      await editMission(admin, world.missionId, { notes: `Changed at ${performance.now()}` });
      // comes after everything that the edit sent
      await client.call('PUT', `/users/${id}/status`, { state: 'available' });
      await stream.next('status');
      stream.close();
      return stream.text();
    },
  },
};

const kinds = Object.keys(VIEWERS) as ViewerKind[];

describe.each(Object.entries(SURFACES))('%s', (_surface, { read, showsOwn }) => {
  test.each(kinds)('shows the %s pilot nothing of another side', async (kind) => {
    const text = await read(world.people[kind]);
    expect(findLeaks(text, kind, world)).toEqual([]);
    const own = ([0, 1] as const).find((side) => VIEWERS[kind][side] === 'plan');
    if (showsOwn && own !== undefined) expect(text).toContain(world.secrets[own].frequencies[1]);
  });
});

test('the card in a channel names the crews of both sides, and no frequency and no flight notes of any', async () => {
  const facts = await loadCard(service.app.orm.em.fork(), world.missionId, new Date());
  if (!facts) throw new Error('The mission has no card');
  const text = JSON.stringify(missionCard(facts, { publicUrl: service.url, roleId: null }, Date.now(), englishTexts));
  for (const { crew, frequencies, texts } of [world.secrets[0], world.secrets[1]]) {
    for (const name of crew) expect(text).toContain(name);
    for (const secret of [...frequencies, ...texts]) expect(text).not.toContain(secret);
  }
});

test('the secrets are real: an admin reads all of them', async () => {
  const { secrets } = world;
  const [was, now] = [secrets[0].frequencies, secrets[1].frequencies].map(([, current]) => current);
  const text = await call(admin, `/missions/${world.missionId}`);
  for (const secret of [was, now, ...secrets[0].crew, ...secrets[1].crew, ...secrets[0].texts, ...secrets[1].texts]) {
    expect(text).toContain(secret);
  }
  expect(new Set([...secrets[0].frequencies, ...secrets[1].frequencies]).size).toBe(4);
});

test('a planted leak is found', async () => {
  const { secrets, people } = world;
  const honest = await SURFACES['mission']?.read(people.blue);
  for (const planted of [
    secrets[1].frequencies[0],
    secrets[1].frequencies[1],
    ...secrets[1].crew,
    ...secrets[1].texts,
  ]) {
    expect(findLeaks(`${honest}${planted}`, 'blue', world)).toEqual([planted]);
  }
  const asAdmin = await call(admin, `/missions/${world.missionId}`);
  for (const kind of kinds) expect(findLeaks(asAdmin, kind, world).length, kind).toBeGreaterThan(1);
});
