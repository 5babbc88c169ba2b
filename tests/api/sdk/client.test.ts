/** The client for other programs against a real Marshal: tokens, batches, repeats, refusals, the end of a wait. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMarshalClient, isRefusal, type MarshalClient, type MarshalOptions } from '#sdk/marshal-client.ts';
import { givenAdmin, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let service: Service;
let admin: Person;
let token: string;

beforeAll(async () => {
  service = await startService({ env: { DEV_TOKENS: '1' } });
  admin = await givenAdmin(service);
  token = await givenToken(service, admin);
});
afterAll(() => service.stop());

async function givenToken(of: Service, { id }: Person): Promise<string> {
  return (await createClient(of).call('POST', '/users/dev-token', { userId: id })).body.token;
}

const missionOf = (name: string) => ({
  name,
  theater: 'Syria' as const,
  startLocal: hoursFromNow(30),
  endLocal: hoursFromNow(33),
  timeZone: 'UTC',
  aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0 as const, notes: 'CAP' as const }],
});

interface Line {
  marshal: MarshalClient;
  /** what was sent */
  requests: { path: string; key: string | null }[];
}

/** Answers instead of the server's: `answer` before the request reaches Marshal, `lost` after Marshal has handled it. */
type Fault = { status: number; retryAfter?: string; isLost?: boolean; body?: string };

/** A client whose connection answers its first requests with these faults. */
function connect(faults: Fault[] = [], options: Partial<MarshalOptions> = {}): Line {
  const requests: Line['requests'] = [];
  const marshal = createMarshalClient({
    baseUrl: service.url,
    token,
    fetch: async (address, init) => {
      const { pathname } = new URL(address);
      requests.push({ path: pathname, key: new Headers(init.headers).get('idempotency-key') });
      const fault = faults.shift();
      if (fault === undefined) return fetch(address, init);
      if (fault.isLost) await (await fetch(address, init)).text();
      return new Response(fault.body ?? '{"error":{"message":"busy","code":-32603,"data":{}}}', {
        status: fault.status,
        headers: {
          'content-type': fault.body === undefined ? 'application/json' : 'text/html',
          ...(fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }),
        },
      });
    },
    ...options,
  });
  return { marshal, requests };
}

describe('the token', () => {
  test('is sent with every call, and a function is asked for it', async () => {
    const { marshal } = connect([], { token: () => Promise.resolve(token) });
    expect(await marshal.auth.me.query()).toMatchObject({ id: admin.id });
  });

  test('is not needed for public calls, and a call that needs one is refused without', async () => {
    const { marshal } = connect([], { token: undefined });
    expect(await marshal.pilot.stats.query()).toMatchObject({ totalUsers: expect.any(Number) });
    const error: unknown = await marshal.auth.me.query().catch((thrown: unknown) => thrown);
    expect(isRefusal(error, 'NOT_AUTHENTICATED')).toBe(true);
    expect(isRefusal(error, 'NOT_FOUND')).toBe(false);
    expect(isRefusal(error)).toBe(true);
  });
});

test('a base address may end with a slash', async () => {
  const { marshal } = connect([], { baseUrl: `${service.url}/` });
  expect(await marshal.auth.me.query()).toMatchObject({ id: admin.id });
});

test('25 reads at once travel in batches of at most 10, which Marshal takes', async () => {
  const { marshal, requests } = connect();
  const answers = await Promise.all(Array.from({ length: 25 }, () => marshal.pilot.stats.query()));
  expect(answers).toHaveLength(25);
  expect(requests.map(({ path }) => path.split(',').length)).toEqual([10, 10, 5]);
});

describe('a read that finds Marshal busy', () => {
  test.each([
    ['503 with seconds', { status: 503, retryAfter: '0' }],
    ['429 with a date', { status: 429, retryAfter: new Date(0).toUTCString() }],
    ['503 of a proxy, in HTML', { status: 503, retryAfter: '0', body: '<h1>Service Unavailable</h1>' }],
  ] satisfies [string, Fault][])('%s is sent again', async (_name, fault) => {
    const { marshal, requests } = connect([fault, fault]);
    expect(await marshal.auth.me.query()).toMatchObject({ id: admin.id });
    expect(requests).toHaveLength(3);
  });

  test('waits as long as Retry-After says', async () => {
    const { marshal } = connect([{ status: 503, retryAfter: '1' }]);
    const before = performance.now();
    await marshal.auth.me.query();
    expect(performance.now() - before).toBeGreaterThanOrEqual(990);
  });

  test('gives up after the last repeat, and at once if it would wait too long', async () => {
    const busy = { status: 503, retryAfter: '0' };
    const patient = connect([busy, busy, busy, busy, busy], { retries: 2 });
    await expect(patient.marshal.auth.me.query()).rejects.toThrow('busy');
    expect(patient.requests).toHaveLength(3);
    const hasty = connect([{ status: 429, retryAfter: '120' }]);
    await expect(hasty.marshal.auth.me.query()).rejects.toThrow('busy');
    expect(hasty.requests).toHaveLength(1);
  });

  test('ends with its signal, also while it waits', async () => {
    const ending = new AbortController();
    const { marshal, requests } = connect([{ status: 503, retryAfter: '3600' }], { maxWaitMs: 7_200_000 });
    const call = marshal.auth.me.query(undefined, { signal: ending.signal });
    await expect.poll(() => requests.length).toBe(1);
    ending.abort(new Error('enough'));
    await expect(call).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });

  test('a batch is sent again if one of its calls was refused so', async () => {
    const envelope = (httpStatus: number) => ({ error: { message: 'busy', code: -32603, data: { httpStatus } } });
    let isFirst = true;
    const { marshal } = connect([], {
      fetch: async (address, init) => {
        const response = await fetch(address, init);
        if (!isFirst) return response;
        isFirst = false;
        const [mine] = (await response.json()) as unknown[];
        return Response.json([mine, envelope(503)], { status: 207, headers: { 'retry-after': '0' } });
      },
    });
    const [me, stats] = await Promise.all([marshal.auth.me.query(), marshal.pilot.stats.query()]);
    expect([me.id, stats.totalUsers]).toEqual([admin.id, expect.any(Number)]);
  });
});

describe('a write that finds Marshal busy', () => {
  test('creates once, although the first answer was lost', async () => {
    const { marshal, requests } = connect([{ status: 503, retryAfter: '0', isLost: true }]);
    const { mission } = await marshal.admin.createMission.mutate(missionOf('Op Once'));
    expect(requests.map(({ key }) => key)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), requests[0]?.key]);
    const day = { date: mission.startLocal.slice(0, 10), tz: 'UTC' };
    const { missions } = await marshal.admin.missionsByDate.query(day);
    expect(missions.filter(({ name }) => name === 'Op Once').map(({ id }) => id)).toEqual([mission.id]);
  });

  test('has a key of its own for each call, or the one of its caller', async () => {
    const { marshal, requests } = connect();
    await Promise.all(['Op One', 'Op Two'].map((name) => marshal.admin.createMission.mutate(missionOf(name))));
    expect(new Set(requests.map(({ key }) => key)).size).toBe(2);
    const [context, mission] = [{ idempotencyKey: 'order-42' }, missionOf('Op Mine')];
    const first = await marshal.admin.createMission.mutate(mission, { context });
    const second = await marshal.admin.createMission.mutate(mission, { context });
    expect(second.mission.id).toBe(first.mission.id);
  });

  test('that would do something twice is not sent again', async () => {
    const { marshal, requests } = connect([{ status: 503, retryAfter: '0' }]);
    await expect(marshal.admin.mission.publish.mutate({ id: UNKNOWN_ID })).rejects.toThrow('busy');
    expect(requests).toHaveLength(1);
  });

  test('with PUT or DELETE in REST is sent again', async () => {
    const { marshal, requests } = connect([{ status: 503, retryAfter: '0', isLost: true }]);
    const status = await marshal.pilot.setStatus.mutate({ id: admin.id, state: 'dnd' });
    expect(status.state).toBe('dnd');
    expect(requests).toHaveLength(2);
  });
});

test('the write limit of a real Marshal is a typed refusal with its Retry-After', async () => {
  const strict = await startService({ env: { DEV_TOKENS: '1', WRITES_PER_MINUTE: '1' } });
  try {
    const pilot = await givenAdmin(strict);
    const marshal = createMarshalClient({ baseUrl: strict.url, token: await givenToken(strict, pilot), maxWaitMs: 0 });
    const write = () => marshal.pilot.setStatus.mutate({ id: pilot.id, state: 'dnd' });
    // the second of two is over the limit, unless a minute ends between them
    const errors = await Promise.all(
      [write(), write(), write()].map((call) => call.catch((thrown: unknown) => thrown)),
    );
    expect(errors.some((error) => isRefusal(error, 'RATE_LIMITED'))).toBe(true);
  } finally {
    await strict.stop();
  }
});

test('an answer from elsewhere is an error that says so', async () => {
  const { marshal } = connect([{ status: 502, body: '<h1>Bad Gateway</h1>' }]);
  await expect(marshal.auth.me.query()).rejects.toThrow(
    `HTTP 502 from ${service.url}/trpc, which is not an answer of Marshal.`,
  );
});
