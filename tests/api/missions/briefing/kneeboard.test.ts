/** The kneeboard card: size, content, and access for its own pilot only. */
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { loadKneeboard } from '#server/missions/briefing/kneeboard.ts';
import { createKneeboardRenderer } from '#server/missions/briefing/kneeboard-thread.ts';
import type { KneeboardCard } from '#shared/kneeboard-content.ts';
import { givenAdmin, givenAlwaysFree, givenPerson, type MissionRequest, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const BYTES_MAX = 150 * 1024;
const UNKNOWN_ID = '0192c0de-0000-7000-8000-000000000000';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const at = (id: string, scheme = '') => `/api/v1/pilot/inbox/${id}/kneeboard.png${scheme}`;

const get = (path: string, person: Person | null, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { headers: { ...headers, ...(person ? { cookie: person.client.cookie() } : {}) } });

interface Picture {
  width: number;
  height: number;
  bytes: number;
  /** colours of the palette, as `#rrggbb` */
  palette: string[];
  /** palette places, row by row */
  pixels: Uint8Array;
}

/** Reads the file as PNG's specification lays it out, without a library of the service. */
function readPng(file: Buffer): Picture {
  expect(file.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  const chunks = new Map<string, Buffer>();
  for (let place = 8; place < file.length; place += file.readUInt32BE(place) + 12) {
    const length = file.readUInt32BE(place);
    chunks.set(file.toString('latin1', place + 4, place + 8), file.subarray(place + 8, place + 8 + length));
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  expect([...header.subarray(8)]).toEqual([8, 3, 0, 0, 0]); // 8 bits, palette
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  expect(rows.length).toBe((width + 1) * height);
  const colours = chunks.get('PLTE') ?? Buffer.alloc(0);
  const palette = Array.from(
    { length: colours.length / 3 },
    (_, index) => `#${colours.toString('hex', 3 * index, 3 * index + 3)}`,
  );
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    expect(rows[y * (width + 1)], 'no filter').toBe(0);
    pixels.set(rows.subarray(y * (width + 1) + 1, (y + 1) * (width + 1)), y * width);
  }
  return { width, height, bytes: file.length, palette, pixels };
}

/** Share of a picture's outermost ring (10 px) that is not bare paper: text beyond the frame would show there. */
function spilled({ width, height, pixels }: Picture): number {
  let ink = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isRing = x < 10 || y < 10 || x >= width - 10 || y >= height - 5;
      if (isRing && pixels[y * width + x] !== pixels[0]) ink += 1;
    }
  }
  return ink;
}

/** A pilot with an accepted order of a mission of their own. */
async function givenAccepted(
  request: MissionRequest = {},
  { timeZone = 'Asia/Tokyo', displayName = 'Maverick' } = {},
): Promise<{ pilot: Person; order: { id: string } }> {
  await retirePilots(service);
  const pilot = await givenPerson(service, { timeZone, displayName });
  await givenAlwaysFree(service, pilot.id);
  await givenMissionIn(service, admin, 30, request);
  const order = await orderOf(pilot);
  expect((await respond(pilot, order, 'Accepted')).status).toBe(200);
  return { pilot, order };
}

describe('the file', () => {
  test('is a PNG of 768 x 1024 under 150 KB in both schemes, which differ; paper by day, dark at night', async () => {
    const { pilot, order } = await givenAccepted();
    const files = new Map<string, Buffer>();
    for (const scheme of ['day', 'night']) {
      const response = await get(at(order.id, `?scheme=${scheme}`), pilot);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect(response.headers.get('content-disposition')).toMatch(
        new RegExp(`^inline; filename="FRAG-\\d{3,}-kneeboard-${scheme}\\.png"$`),
      );
      files.set(scheme, Buffer.from(await response.arrayBuffer()));
    }
    const [day, night] = [...files.values()].map(readPng);
    for (const picture of [day, night]) {
      expect(picture).toMatchObject({ width: 768, height: 1024 });
      expect(picture?.bytes).toBeLessThan(BYTES_MAX);
    }
    const corner = (picture: Picture | undefined) => picture?.palette[picture.pixels[0] ?? 0];
    expect([corner(day), corner(night)]).toEqual(['#fbfaf6', '#0c1519']);

    const plain = Buffer.from(await (await get(at(order.id), pilot)).arrayBuffer());
    expect(plain.equals(files.get('day') ?? Buffer.alloc(0)), 'day unless asked otherwise').toBe(true);
  });

  test('is not sent again while it is unchanged (304), and is sent when the order has changed', async () => {
    const { pilot, order } = await givenAccepted();
    const first = await get(at(order.id), pilot);
    // fetch would add no-cache to a conditional request, which asks for a fresh copy
    const known = { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    expect(known['if-none-match']).not.toBe('');
    expect((await get(at(order.id), pilot, known)).status).toBe(304);
    await query(
      service.app.orm.em.fork(),
      sql`update flight set radio_freq = '399.975' where id = (select flight_id from frag_order where id = ${order.id})`,
    );
    expect((await get(at(order.id), pilot, known)).status).toBe(200);
  });

  test('concurrent and sequential requests give the same picture', async () => {
    const { pilot, order } = await givenAccepted();
    const all = await Promise.all(
      [1, 2, 3].map(async () => Buffer.from(await (await get(at(order.id), pilot)).arrayBuffer()).toString('base64')),
    );
    expect(new Set(all).size).toBe(1);
  });
});

describe('access', () => {
  test.each([
    ['visitors', null, 401, 'NOT_AUTHENTICATED', 'User not authenticated'],
    ['another pilot', 'other', 404, 'ORDER_NOT_FOUND', 'Frag order not found'],
    ['an admin', 'admin', 404, 'ORDER_NOT_FOUND', 'Frag order not found'],
  ])('%s are refused', async (_who, who, status, code, message) => {
    const { order } = await givenAccepted();
    const caller = who === 'other' ? await givenPerson(service) : who === 'admin' ? admin : null;
    const response = await get(at(order.id), caller);
    expect([response.status, await response.json()]).toEqual([status, { code, message }]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('only an accepted order has a kneeboard: 409 before, and after the seat is given back', async () => {
    await retirePilots(service);
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    const sentence = {
      code: 'ORDER_NOT_ACCEPTED',
      message: 'The kneeboard card is available once you accept this order.',
    };
    const ask = async () => {
      const response = await get(at(order.id), pilot);
      return [response.status, response.status === 200 ? null : await response.json()];
    };
    expect(await ask()).toEqual([409, sentence]);
    await respond(pilot, order, 'Accepted');
    expect(await ask()).toEqual([200, null]);
    await respond(pilot, order, 'Declined');
    expect(await ask()).toEqual([409, sentence]);
  });

  test.each([
    ['an unknown order', UNKNOWN_ID, '', 404, 'Frag order not found'],
    ['no id', 'x', '', 400, 'This id is not valid'],
    ['a scheme of its own', UNKNOWN_ID, '?scheme=dusk', 400, 'The scheme must be day or night'],
    ['two schemes', UNKNOWN_ID, '?scheme=day&scheme=night', 400, 'The scheme must be day or night'],
  ])('%s is refused with a sentence', async (_what, id, search, status, message) => {
    const pilot = await givenPerson(service);
    const response = await get(at(id, search), pilot);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ message });
  });

  test('a suspended pilot gets none', async () => {
    const { pilot, order } = await givenAccepted();
    await retirePilots(service);
    const response = await get(at(order.id), pilot);
    expect([response.status, await response.json()]).toEqual([
      403,
      { code: 'SUSPENDED', message: 'Your account is suspended. Please ask an admin.' },
    ]);
  });
});

describe('the words', () => {
  const load = (pilot: Person, order: { id: string }) =>
    loadKneeboard(service.app.orm.em.fork(), pilot, order.id, 'https://marshal.example', new Date());

  test('are the order, its times in Zulu and in the zone of the pilot, its radio and its package', async () => {
    const { pilot, order } = await givenAccepted({
      name: 'Op Desert Frost',
      startLocal: '2027-03-05T18:30',
      endLocal: '2027-03-05T21:30',
      notes: 'Bring smoke',
      aircraftSlots: [
        { aircraftId: 2, slotCount: 2, side: 1, notes: 'CAP', additionalNotes: 'Fox three' },
        { aircraftId: 1, slotCount: 1, side: 1, notes: 'Intercept' },
        { aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' },
      ],
    });
    const card = await load(pilot, order);
    const accepted = (await pilot.client.call('GET', '/pilot/inbox/accepted')).body[0];
    expect(card).toMatchObject({
      label: accepted.label,
      mission: 'Op Desert Frost',
      theater: 'Syria',
      seat: {
        flightCallsign: { label: 'Flight', value: accepted.flightCallsign },
        aircraftName: { label: 'Aircraft', value: accepted.aircraftName },
      },
      radio: {
        radioFreq: { label: 'Radio', value: accepted.radioFreq },
        package: { label: `Package ${accepted.package.callsign}`, value: accepted.package.objective },
      },
      side: accepted.side,
      zone: 'Asia/Tokyo',
      // 1830Z is 0330 of the next day in Tokyo, nine hours ahead all year
      dateZulu: 'Fri, Mar 5, 2027',
      dateLocal: 'Sat, Mar 6, 2027',
      footer: { pilot: 'Maverick', host: 'marshal.example' },
    });
    expect(card.times[0]).toEqual({ label: 'Brief', zulu: '1830Z', local: '0330L', shift: '+1' });
    expect(card.times.map(({ label }) => label)).toEqual(['Brief', 'Launch', 'TOT', 'End']);
    expect(card.flights[0]).toMatchObject({ callsign: accepted.flightCallsign, isOwn: true });
    expect(card.flights.map(({ callsign }) => callsign).toSorted()).toEqual(
      accepted.package.composition.map(({ callsign }: { callsign: string }) => callsign).toSorted(),
    );
    expect(card.flights.every(({ radio }) => /^\d{3}\.\d{3} AM$/.test(radio ?? ''))).toBe(true);
    expect(card.notes).toEqual([...(accepted.notes === null ? [] : [accepted.notes]), 'Bring smoke']);
  });

  test('name accepted pilots by call sign, leave other seats open, and hold no email', async () => {
    await retirePilots(service);
    const pilots: Person[] = [];
    for (const displayName of ['Maverick', 'Goose', 'Iceman']) {
      const pilot = await givenPerson(service, { displayName });
      await givenAlwaysFree(service, pilot.id);
      pilots.push(pilot);
    }
    const [first, second, third] = pilots;
    if (!first || !second || !third) throw new Error('three pilots');
    await query(service.app.orm.em.fork(), sql`update app_user set display_name = null where id = ${second.id}`);
    await givenMissionIn(service, admin, 30, {
      aircraftSlots: [{ aircraftId: 2, slotCount: 4, side: 0, notes: 'CAP' }],
    });
    await respond(first, await orderOf(first), 'Accepted');
    await respond(second, await orderOf(second), 'Accepted');
    await orderOf(third); // invited, and has not answered
    const accepted = (await first.client.call('GET', '/pilot/inbox/accepted')).body[0];
    const card = await load(first, accepted);
    const names = card.flights[0]?.seats.map((pilot) => pilot ?? 'open') ?? [];
    expect(names.toSorted()).toEqual(['Maverick', 'Pilot', 'open', 'open']);
    expect(JSON.stringify(card)).not.toMatch(/@|Iceman/);
  });
});

describe('unusual contents', () => {
  const flight = (index: number) => ({
    callsign: `Springfield ${index + 1}`,
    aircraft: 'A-10C II Thunderbolt',
    radio: `2${10 + index}.000 AM`,
    isOwn: index === 0,
    seats: ['W'.repeat(200), 'Łukasz Żółć', null, 'Ace'],
  });
  const seatOf = (callsign: string, aircraft: string): KneeboardCard['seat'] => ({
    flightCallsign: { label: 'Flight', value: callsign },
    seatIndex: { label: 'Seat', value: '1 of 4' },
    aircraftName: { label: 'Aircraft', value: aircraft },
  });
  const radioOf = (radio: string | null, callsign: string, objective: string): KneeboardCard['radio'] => ({
    radioFreq: { label: 'Radio', value: radio },
    package: { label: `Package ${callsign}`, value: objective },
  });
  const card: KneeboardCard = {
    label: 'FRAG-007',
    mission: 'Op Iron Hound',
    theater: 'Syria',
    role: 'CAP',
    dateZulu: 'Fri, Nov 20, 2026',
    dateLocal: 'Sat, Nov 21, 2026',
    zone: 'America/Argentina/ComodRivadavia',
    times: ['Brief', 'Launch', 'TOT', 'End'].map((label) => ({ label, zulu: '1905Z', local: '0405L', shift: '+1' })),
    side: 1,
    seat: seatOf('Hammerhead 12', 'AH-64D BLK.II Apache Longbow'),
    radio: radioOf('251.000 AM', 'ALPHA', 'Strike/DEAD/SEAD, Mariana Islands'),
    flights: [flight(0)],
    notes: [],
    links: [],
    footer: { pilot: 'Maverick', issued: 'issued Thu, Nov 19, 2026, 1712Z', host: 'marshal.example' },
  };
  const renderer = createKneeboardRenderer();

  test.each<[string, Partial<KneeboardCard>]>([
    ['names of 200 letters', { mission: 'W'.repeat(200), seat: seatOf('W'.repeat(200), 'W'.repeat(200)) }],
    [
      'words without a space',
      { notes: ['x'.repeat(4000)], radio: radioOf('251.000 AM', 'W'.repeat(200), 'W'.repeat(300)) },
    ],
    ['notes of a thousand lines', { notes: ['Bring smoke\n'.repeat(1000)] }],
    [
      'seven flights',
      { flights: Array.from({ length: 7 }, (_, index) => flight(index)), notes: ['smoke '.repeat(300)] },
    ],
    [
      'a page of prose, which a full-colour PNG cannot hold in 150 KB',
      {
        flights: [flight(0)],
        notes: [
          'Hold at BULLSEYE 270/40 until the tanker is on station; expect SA-6 near Homs, 2 x MiG-29 from Hama. '.repeat(
            50,
          ),
        ],
      },
    ],
    ['64 flights', { flights: Array.from({ length: 64 }, (_, index) => flight(index)), notes: ['smoke '.repeat(300)] }],
    [
      'emoji and other scripts',
      { mission: '👩‍✈️ 日本語 עברית العربية', footer: { ...card.footer, pilot: '🚀'.repeat(99) } },
    ],
    [
      'a long footer',
      { footer: { pilot: 'W'.repeat(200), issued: card.footer.issued, host: `${'w'.repeat(60)}.example` } },
    ],
    [
      'nothing but what must be',
      { times: card.times.slice(0, 2), radio: radioOf(null, 'ALPHA', ''), flights: [], notes: [] },
    ],
  ])('%s stay on the card', async (_what, words) => {
    for (const scheme of ['day', 'night'] as const) {
      const picture = readPng(await renderer.render({ ...card, ...words }, scheme));
      expect(picture).toMatchObject({ width: 768, height: 1024 });
      expect(picture.bytes).toBeLessThan(BYTES_MAX);
      expect(spilled(picture)).toBe(0);
    }
  });

  test.each([
    ['Cyrillic', 'Ж', 'Щ'],
    ['Greek', 'Ω', 'Ξ'],
    ['traditional Chinese', '龍', '國'],
    ['simplified Chinese', '简', '战'],
    ['Japanese', 'あ', 'ム'],
    ['kanji', '働', '畑'],
    ['Korean', '한', '글'],
    ['emoji', '🚀', '🎯'],
  ])('%s is drawn in call signs and notes, not as boxes', async (_script, one, other) => {
    // the boxes of missing characters are all alike
    const picture = async (words: string, where: 'notes' | 'seats') => {
      const own = { ...flight(0), seats: [where === 'seats' ? words : 'Maverick'] };
      const png = await renderer.render({ ...card, flights: [own], notes: where === 'notes' ? [words] : [] }, 'day');
      return png.toString('base64');
    };
    for (const where of ['notes', 'seats'] as const) {
      expect(await picture(one, where)).not.toBe(await picture(other, where));
    }
    expect(await picture('\u{f0000}', 'notes')).toBe(await picture('\u{f0001}', 'notes'));
  });

  test('a name has the room of the seats that its flight lacks', async () => {
    const picture = async (seats: string[]) => {
      const flights = [{ ...flight(0), callsign: 'Hammerhead Springfield 1', seats }];
      return (await renderer.render({ ...card, flights }, 'day')).toString('base64');
    };
    const long = 'Konstantinopolitan Max';
    expect(await picture([`${long}1`, 'Ace'])).not.toBe(await picture([`${long}2`, 'Ace']));
  });

  test('requests beyond the queue are refused with a time to retry; those in it are served', async () => {
    const renders = Array.from({ length: 20 }, (_, index) =>
      renderer.render({ ...card, label: `FRAG-1${index}` }, 'day').then(
        () => 'drawn',
        (error: unknown) => `${String(Reflect.get(Object(error), 'status'))} ${String(error)}`,
      ),
    );
    const ends = await Promise.all(renders);
    expect(ends.slice(0, 16)).toEqual(Array.from({ length: 16 }, () => 'drawn'));
    expect(ends.slice(16)).toEqual(
      Array.from({ length: 4 }, () => expect.stringContaining('503 AppError: The server is busy')),
    );
  });
});
