/**
 * Direct messages at Discord's rate limits, with two processes: the queue waits for the bucket, and no wait counts as a failed
 * attempt.
 */
import { Routes, type APIMessage } from 'discord-api-types/v10';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createDiscordClient, DiscordProblem } from '#server/discord/discord-client.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenCrowd, givenSharedOffers } from '#tests/harness/crowd.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { givenAdmin } from '#tests/harness/given.ts';
import { givenMissionIn } from '#tests/harness/orders.ts';
import { vipers } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { startEmulator } from './emulator/start.ts';
import { announceOffers, givenDiscordGuild, startDiscord, type DiscordWorld } from './given.ts';

/** The drill has Discord's own rates: 120 messages at ten new conversations per ten seconds take 110 s at least. */
const MESSAGES = inDrill(120, 30);
const RATE = { count: 10, perMs: inDrill(10_000, 2_000) };
const MOST_MS = inDrill(150_000, 15_000);

let world: DiscordWorld;
/** A second process of the installation: together they have one limit. */
let replica: Service;
let guildId: string;
beforeAll(async () => {
  world = await startDiscord({ withJobs: true });
  const env = { DISCORD_TOKEN: world.emulator.token, DISCORD_API_URL: world.emulator.apiUrl };
  replica = await startService({ beside: world.service, withJobs: true, env });
  ({ id: guildId } = await givenDiscordGuild(world));
});
afterAll(async () => {
  await replica.stop();
  await world.stop();
});

test(
  `${MESSAGES} orders arrive from two processes as fast as Discord opens conversations, without a 429 or a failed attempt`,
  async () => {
    const { service, emulator } = world;
    emulator.setRate('POST /users/@me/channels', RATE);
    const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
    const { mission } = await givenMissionIn(service, await givenAdmin(service), 30, { aircraftSlots: vipers(1) });
    const crowd = await givenCrowd(service, MESSAGES);
    const userIds = crowd.map((_pilot, n) => emulator.addMember(guildId, { username: `waiting.${n + 1}` }));
    await rows(
      sql`insert into discord_account (discord_user_id, user_id, username, linked_at, wants_orders)
          select d, u, d, now(), true
          from unnest(${userIds}::text[], ${crowd.map(({ id }) => id)}::uuid[]) as x (d, u)`,
    );
    const orderIds = await givenSharedOffers(service, mission.id, crowd);
    const begunMs = Date.now();
    await announceOffers(world, mission.id, crowd, orderIds);
    let most = 0;
    await vi.waitFor(
      async () => {
        const [seen] = await rows<{ most: number }>(
          sql`select coalesce(max(attempts), 0)::int as most from delivery where channel = 'discord'`,
        );
        most = Math.max(most, seen?.most ?? 0);
        expect(userIds.filter((id) => emulator.directMessages(id).length === 0)).toEqual([]);
      },
      { timeout: 2 * MOST_MS, interval: 100 },
    );
    expect(Date.now() - begunMs).toBeLessThan(MOST_MS);
    expect(userIds.filter((id) => emulator.directMessages(id).length !== 1)).toEqual([]);
    expect(most).toBe(1);
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(emulator.invalidRequests()).toBe(0);
  },
  4 * MOST_MS,
);

test('a limit that only the body of a 429 tells is waited for as long as the body says', async () => {
  const emulator = await startEmulator({ wideLimits: ['requests'] });
  const { channelIds } = emulator.addGuild({ name: 'Lantern Wing', channels: [{ name: 'news', type: 5 }] });
  const discord = await createDiscordClient({ DISCORD_TOKEN: emulator.token, DISCORD_API_URL: emulator.apiUrl });
  const messages = Routes.channelMessages(channelIds['news'] ?? '');
  const made = await discord?.post<APIMessage>(messages, { content: 'news' });
  emulator.publishMessage(channelIds['news'] ?? '', made?.id ?? '');
  const edit = async (content: string) =>
    discord?.patch(Routes.channelMessage(channelIds['news'] ?? '', made?.id ?? ''), { content });
  // Discord takes three edits an hour of a published message, and its header then says to come back within seconds
  for (const content of ['first', 'second', 'third']) await edit(content);
  const refused = await edit('fourth').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DiscordProblem);
  expect(refused).toMatchObject({ status: 429 });
  expect((refused as DiscordProblem).retryAfterMs).toBeGreaterThan(3_500_000);
  expect(emulator.violations).toEqual([]);
  await emulator.stop();
});

test('refusals stop the sender long before Discord bans its address', async () => {
  const emulator = await startEmulator({ wideLimits: ['requests'] });
  const discord = await createDiscordClient(
    { DISCORD_TOKEN: 'wrong', DISCORD_API_URL: emulator.apiUrl },
    { invalidMax: 30 },
  );
  const ask = async () => discord?.get('/users/@me').catch((error: unknown) => error);
  const answers = await Promise.all(Array.from({ length: 30 }, ask));
  const statuses = answers.map((answer) => (answer instanceof DiscordProblem ? answer.status : answer));
  expect(new Set(statuses)).toEqual(new Set([401]));
  // all of these were under way at once; from now on none is made
  const before = emulator.requests.length;
  const next = await ask();
  expect(next).toMatchObject({ status: 429, retryAfterMs: expect.any(Number) });
  expect(emulator.requests).toHaveLength(before);
  await emulator.stop();
});
