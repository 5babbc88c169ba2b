/**
 * The side rule on every surface that is not drawn in a browser: no kind of pilot reads a frequency or a crew of a side that
 * is not theirs. `tests/ui/side-rule.test.ts` has the pages and the paper.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { loadKneeboard } from '#server/missions/briefing/kneeboard.ts';
import { loadCard } from '#server/discord/posts/mission-cards.ts';
import { loadOrderCard } from '#server/discord/posts/order-messages.ts';
import { missionCard } from '#server/discord/rules/mission-card.ts';
import { selectOrders } from '#server/orders/order-view.ts';
import { composeMessage } from '#server/delivery/push/order-push.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { query, sql } from '#server/schema/query.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import {
  findLeaks,
  givenTwoSides,
  KINDS,
  type Secrecy,
  SECRECIES,
  type TwoSides,
  VIEWS,
} from '#tests/harness/side-rule.ts';
import { openStream } from '#tests/harness/stream.ts';

let service: Service;
let admin: Person;
let worlds: Record<Secrecy, TwoSides>;
/** of each pilot, the ids of all their orders, withdrawn ones too */
let ordersOf: Map<string, string[]>;

beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  worlds = {
    secret: await givenTwoSides(service, admin, 'secret'),
    open: await givenTwoSides(service, admin, 'open'),
  };
  const rows = await query<{ id: string; pilotId: string }>(
    service.app.orm.em.fork(),
    sql`select id, pilot_id as "pilotId" from frag_order`,
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
 * their own flight, which shows that the text is the real one; on some of them one on standby does, too.
 */
const SURFACES: Record<
  string,
  { read: (person: Person, world: TwoSides) => Promise<string>; showsOwn?: 'with a seat' | 'also on standby' }
> = {
  mission: { read: (person, world) => call(person, `/missions/${world.missionId}`), showsOwn: 'also on standby' },
  thread: { read: (person, world) => call(person, `/missions/${world.missionId}/thread`) },
  calendar: { read: (person) => call(person, '/missions') },
  order: {
    read: (person) => ofEach(person, async (id) => (await person.client.call('GET', `/pilot/inbox/${id}`)).body),
    showsOwn: 'also on standby',
  },
  inbox: { read: (person) => call(person, '/pilot/inbox?includeCompleted=true') },
  tile: { read: (person) => call(person, '/pilot/inbox/accepted'), showsOwn: 'with a seat' },
  notices: { read: (person) => call(person, '/pilot/notices') },
  'open seats': { read: (person) => call(person, '/pilot/openings') },
  swaps: {
    read: async (person) =>
      (await call(person, '/pilot/swaps')) +
      (await ofEach(person, (id) => call(person, `/pilot/inbox/${id}/swap-partners`))),
  },
  'calendar file': {
    read: (person) => ofEach(person, (id) => file(person, `${service.url}/api/v1/pilot/inbox/${id}/calendar.ics`)),
    showsOwn: 'with a seat',
  },
  'calendar feed': {
    read: async (person) => file(person, (await person.client.call('POST', '/pilot/calendar')).body.url),
    showsOwn: 'with a seat',
  },
  // the picture is drawn from this text and from nothing else
  'kneeboard PNG': {
    read: (person) =>
      ofEach(person, (id) =>
        loadKneeboard(service.app.orm.em.fork(), person, id, service.url, new Date()).catch(
          (error: Error) => error.message,
        ),
      ),
    showsOwn: 'with a seat',
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
    read: async ({ id, client }, world) => {
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

describe.each(SECRECIES)('%s sides', (secrecy) => {
  describe.each(Object.entries(SURFACES))('%s', (_surface, { read, showsOwn }) => {
    test.each(KINDS)('shows the %s pilot nothing of another side', async (kind) => {
      const world = worlds[secrecy];
      const text = await read(world.people[kind], world);
      expect(findLeaks(text, kind, world)).toEqual([]);
      const own = ([0, 1] as const).find((side) => VIEWS[secrecy][kind][side] === 'plan');
      if (own === undefined || !showsOwn || (kind === 'standby' && showsOwn === 'with a seat')) return;
      expect(text).toContain(world.secrets[own].frequencies[1]);
    });
  });

  test('the mission page says how much a pilot sees of each side, and names crews accordingly', async () => {
    const world = worlds[secrecy];
    for (const kind of KINDS) {
      const { body } = await world.people[kind].client.call('GET', `/missions/${world.missionId}`);
      const flights: { side: 0 | 1; view: string; pilots: string[] | null }[] = body.packages.flatMap(
        (one: { flights: unknown[] }) => one.flights,
      );
      const views = ([0, 1] as const).map((side) => flights.find((flight) => flight.side === side)?.view ?? 'hidden');
      expect(views, kind).toEqual(VIEWS[secrecy][kind]);
      for (const { side, view, pilots } of flights) {
        const named = pilots?.filter((name) => name !== null) ?? null;
        expect(named, kind).toEqual(view === 'counts' ? null : world.secrets[side].crew);
      }
    }
  });

  test('an order that was given back shows crews only where sides are open', async () => {
    const world = worlds[secrecy];
    const text = await SURFACES['order']?.read(world.people.quitter, world);
    for (const name of world.secrets[0].crew) expect(text?.includes(name), name).toBe(secrecy === 'open');
  });

  test('the card in a channel has no frequency and no flight notes; crews and notes only where sides are open', async () => {
    const world = worlds[secrecy];
    await editMission(admin, world.missionId, { notes: 'Password is mackerel' });
    const facts = await loadCard(service.app.orm.em.fork(), world.missionId, new Date());
    if (!facts) throw new Error('The mission has no card');
    const textAt = (nowMs: number) =>
      JSON.stringify(missionCard(facts, { publicUrl: service.url, roleId: null }, nowMs, englishTexts));
    const [ahead, over] = [textAt(Date.now()), textAt(facts.endMs)];
    for (const { crew, frequencies, texts } of [world.secrets[0], world.secrets[1]]) {
      for (const secret of [...crew, 'mackerel']) {
        expect(ahead.includes(secret), secret).toBe(secrecy === 'open');
        // secrets end with the mission
        expect(over).toContain(secret);
      }
      for (const secret of [...frequencies, ...texts]) expect(ahead + over).not.toContain(secret);
    }
    expect(ahead.includes('of 4 seats open')).toBe(secrecy === 'secret');
  });
});

test('secrecy is an admin’s choice: switched off, on and back to the default, with a line in the audit log', async () => {
  const { missionId, people } = worlds.secret;
  const seen = async () => {
    const { body } = await people.visitor.client.call('GET', `/missions/${missionId}`);
    return body.packages[0].flights[0].view;
  };
  const chosen = async () => (await admin.client.call('GET', `/admin/missions/${missionId}`)).body.secretSides;
  const found: unknown[] = [];
  for (const secretSides of [false, true, null]) {
    expect((await editMission(admin, missionId, { secretSides })).status).toBe(200);
    found.push([await chosen(), await seen()]);
  }
  expect(found).toEqual([
    [false, 'roster'],
    [true, 'counts'],
    [null, 'counts'],
  ]);
  const { body } = await admin.client.call('GET', `/admin/audit?action=mission_edited&subjectId=${missionId}`);
  expect(body.entries.slice(0, 3).map(({ summary }: { summary: string }) => summary)).toEqual([
    'Secret sides: on to automatic',
    'Secret sides: off to on',
    'Secret sides: automatic to off',
  ]);
});

test('the secrets are real: an admin reads all of them', async () => {
  const world = worlds.secret;
  const { secrets } = world;
  const [was, now] = [secrets[0].frequencies, secrets[1].frequencies].map(([, current]) => current);
  const text = await call(admin, `/missions/${world.missionId}`);
  for (const secret of [was, now, ...secrets[0].crew, ...secrets[1].crew, ...secrets[0].texts, ...secrets[1].texts]) {
    expect(text).toContain(secret);
  }
  expect(new Set([...secrets[0].frequencies, ...secrets[1].frequencies]).size).toBe(4);
});

test('a planted leak is found', async () => {
  const world = worlds.secret;
  const { secrets, people } = world;
  const honest = await SURFACES['mission']?.read(people.blue, world);
  for (const planted of [
    secrets[1].frequencies[0],
    secrets[1].frequencies[1],
    ...secrets[1].crew,
    ...secrets[1].texts,
  ]) {
    expect(findLeaks(`${honest}${planted}`, 'blue', world)).toEqual([planted]);
  }
  const asAdmin = await call(admin, `/missions/${world.missionId}`);
  for (const kind of KINDS) expect(findLeaks(asAdmin, kind, world).length, kind).toBeGreaterThan(1);
  // where the sides are open, frequencies and flight notes are left to find
  const open = await call(admin, `/missions/${worlds.open.missionId}`);
  for (const kind of KINDS) expect(findLeaks(open, kind, worlds.open).length, kind).toBeGreaterThan(0);
});
