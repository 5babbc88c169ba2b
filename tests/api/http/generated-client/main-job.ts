/**
 * Marshal's main job in a program of somebody else: a client that `openapi-typescript` generates from the served document,
 * and `openapi-fetch`. `tests/api/http/generated-client.test.ts` checks and runs a copy of it beside the generated types.
 */
import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './openapi.ts';

type Marshal = Client<paths>;
interface Pilot {
  id: string;
  name: string;
  marshal: Marshal;
}
interface Job {
  /** where Marshal runs */
  url: string;
  /** of an admin, with the scope admin */
  adminToken: string;
  /** waits until the mission is over */
  waitForEnd: (missionId: string) => Promise<void>;
}
/** What the pilots and the admin see in the end. */
export interface Done {
  answers: Record<string, string>;
  seated: string[];
  attendance: Record<string, string | null>;
}

const DAY_MS = 86_400_000;
const PASSWORD = 'correct horse battery';

/** The data of an answer; a refusal ends the program with its code. */
function dataOf<T>({
  data,
  error,
  response,
}: {
  data?: T;
  error?: { code: string; message: string };
  response: Response;
}): T {
  if (error) throw new Error(`${new URL(response.url).pathname} answered ${error.code}: ${error.message}`);
  if (data === undefined) throw new Error(`${response.url} answered nothing`);
  return data;
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const until = Date.now() + 20_000; Date.now() < until;) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error('This took more than 20 seconds.');
}

/** Registers a pilot, as a browser would, and makes a token for the rest. */
async function register(url: string, name: string): Promise<Pilot> {
  const browser = createClient<paths>({ baseUrl: `${url}/api/v1`, headers: { Origin: url } });
  const registered = await browser.POST('/auth/register', {
    body: {
      email: `${name.toLowerCase()}@example.org`,
      password: PASSWORD,
      confirmPassword: PASSWORD,
      displayName: name,
      timeZone: 'Europe/Berlin',
    },
  });
  const { id } = dataOf(registered);
  const Cookie = registered.response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const { token } = dataOf(
    await browser.POST('/users/{id}/tokens', {
      params: { path: { id } },
      headers: { Cookie },
      body: { name: 'Main job', scopes: ['read', 'pilot'], expiresAt: new Date(Date.now() + DAY_MS).toISOString() },
    }),
  );
  return {
    id,
    name,
    marshal: createClient<paths>({ baseUrl: `${url}/api/v1`, headers: { Authorization: `Bearer ${token}` } }),
  };
}

/** Sets a week in which the pilot is always free. */
async function setWeek({ id, marshal }: Pilot): Promise<void> {
  const slots = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
    weekday,
    startLocal: '00:00',
    endLocal: '23:59',
    aircraftCodeId: 0,
    notes: null,
  }));
  const body = { name: 'Always', isActive: true, slots };
  const template = dataOf(await marshal.POST('/users/{id}/availability/templates', { params: { path: { id } }, body }));
  if (template.slots.length !== slots.length) throw new Error('The week was not stored.');
}

/** The first of the pilots who has an order to answer. */
const waitForOrder = (pilots: readonly Pilot[]) =>
  eventually(async () => {
    for (const pilot of pilots) {
      const order = dataOf(await pilot.marshal.GET('/pilot/inbox')).find(({ rsvp }) => rsvp === 'pending');
      if (order) return { pilot, order };
    }
    return undefined;
  });

async function answer({ marshal }: Pilot, id: string, response: 'accepted' | 'declined'): Promise<string> {
  const order = dataOf(await marshal.POST('/pilot/inbox/{id}/rsvp', { params: { path: { id } }, body: { response } }));
  return order.rsvp;
}

export async function doMainJob({ url, adminToken, waitForEnd }: Job): Promise<Done> {
  const pilots = await Promise.all(['Viper', 'Goose', 'Merlin'].map((name) => register(url, name)));
  for (const pilot of pilots) await setWeek(pilot);

  const admin = createClient<paths>({ baseUrl: `${url}/api/v1`, headers: { Authorization: `Bearer ${adminToken}` } });
  const aircraft = dataOf(await admin.GET('/aircraft'));
  const viper = aircraft.find(({ code }) => code === 'F-16C_50');
  if (!viper) throw new Error('There is no F-16C.');

  const start = new Date(Date.now() + 2 * DAY_MS);
  const date = start.toISOString().slice(0, 10);
  const { mission } = dataOf(
    await admin.POST('/admin/missions', {
      body: {
        name: 'Op Generated',
        theater: 'Syria',
        startLocal: `${date}T12:00`,
        endLocal: `${date}T14:00`,
        timeZone: 'UTC',
        aircraftSlots: [{ aircraftId: viper.id, slotCount: 2, side: 0, notes: 'CAP' }],
      },
    }),
  );

  // two seats for three pilots: the first two have orders, and the third gets the seat that the second declines
  const answers: Record<string, string> = {};
  for (const response of ['accepted', 'declined', 'accepted'] as const) {
    const waiting = pilots.filter(({ name }) => answers[name] === undefined);
    const { pilot, order } = await waitForOrder(waiting);
    answers[pilot.name] = await answer(pilot, order.id, response);
  }

  const day = dataOf(await admin.GET('/admin/missions/by-date', { params: { query: { date, tz: 'UTC' } } }));
  const seated = day.missions
    .filter(({ id }) => id === mission.id)
    .flatMap(({ packages }) => packages)
    .flatMap(({ flights }) => flights)
    .flatMap(({ assignments }) => assignments)
    .map(({ userDisplayName }) => userDisplayName);

  await waitForEnd(mission.id);
  const path = { id: mission.id };
  const orders = dataOf(await admin.GET('/admin/missions/{id}/orders', { params: { path } }));
  const attendance = orders
    .filter(({ rsvp }) => rsvp === 'accepted')
    .map(({ id }, index) => ({ orderId: id, attendance: index === 0 ? ('no_show' as const) : ('attended' as const) }));
  dataOf(await admin.PUT('/admin/missions/{id}/attendance', { params: { path }, body: { attendance } }));
  const marked = dataOf(await admin.GET('/admin/missions/{id}/orders', { params: { path } }));
  return {
    answers,
    seated,
    attendance: Object.fromEntries(marked.map((order) => [order.userDisplayName, order.attendance])),
  };
}
