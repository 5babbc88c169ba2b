/** Edits of outbox messages: one card for an order, up to date, found after a lost answer, posted again when deleted. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenPostRow, postsWithState } from '#tests/harness/discord-posts.ts';
import { transact } from '#server/schema/transaction.ts';
import { purgePosts, queueAgain } from '#server/discord/posts/posts.ts';
import { givenAdmin, givenAlwaysFree, givenMission, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { callOffMissions, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { cardOf, nothingLeft, textOf } from './cards.ts';
import { givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';
import { givenServer } from './posts.ts';

let world: DiscordWorld;
let admin: Person;
let guildId: string;
beforeAll(async () => {
  world = await startDiscord({ withBot: false, withJobs: true });
  admin = await givenAdmin(world.service);
  guildId = (await givenServer(world)).id;
});
afterAll(() => world.stop());
afterEach(async () => {
  world.emulator.clearFaults();
  await callOffMissions(world.service);
  await retirePilots(world.service);
});

const em = () => world.service.app.orm.em.fork();
type Pilot = Awaited<ReturnType<typeof givenLinkedPilot>>;
async function givenFreePilot(): Promise<Pilot> {
  const pilot = await givenLinkedPilot(world, guildId);
  await givenAlwaysFree(world.service, pilot.id);
  return pilot;
}
const messages = ({ discordUserId }: Pilot) => world.emulator.directMessages(discordUserId);
type Row = {
  id: string;
  dedupeKey: string;
  state: string;
  attempts: number;
  messageId: string | null;
  dmChannelId: string | null;
};
async function rowOf({ discordUserId }: Pilot): Promise<Row> {
  const found = await query<Row>(
    em(),
    sql`select o.id, o.dedupe_key as "dedupeKey", o.state, o.attempts, o.message_id as "messageId", d.dm_channel_id as "dmChannelId"
        from ${postsWithState} join discord_account d using (discord_user_id)
        where o.kind = 'order' and discord_user_id = ${discordUserId}`,
  );
  expect(found).toHaveLength(1);
  const [row] = found;
  if (!row) throw new Error('There is no row');
  return row;
}
/** Queues the order's message again, as a change does. */
async function change(pilot: Pilot): Promise<void> {
  const { id, dedupeKey } = await rowOf(pilot);
  await transact(em(), (tx) => queueAgain(tx, [{ id, kind: 'order', subjectId: null, dedupeKey }]));
}
const asked = (method: string, channelId: string) =>
  world.emulator.requests.filter(
    (one) => one.method === method && one.path.startsWith(`/channels/${channelId}/messages`),
  );

test.each(['accepted', 'declined'] as const)(
  'a card whose answer was lost is found, and edited to the order that was %s since',
  async (rsvp) => {
    const pilot = await givenFreePilot();
    world.emulator.fail({ method: 'POST', path: /\/messages$/, kind: 'drop', when: 'after' });
    await givenMission(world.service, admin);
    await vi.waitFor(() => expect(messages(pilot)).toHaveLength(1), { timeout: 20_000, interval: 20 });
    world.emulator.forgetNonces();
    await respond(pilot, await orderOf(pilot), rsvp);
    const card = await cardOf(world, pilot, rsvp === 'accepted' ? 'Accepted' : 'Declined');
    await nothingLeft(world);
    expect(await rowOf(pilot)).toMatchObject({ state: 'sent', messageId: card.id });
    expect(asked('POST', card.channelId)).toHaveLength(1);
  },
);

test('a deleted card is posted again while it is pending, with a new nonce', async () => {
  const pilot = await givenFreePilot();
  const { mission } = await givenMission(world.service, admin);
  const first = await cardOf(world, pilot);
  await nothingLeft(world);
  world.emulator.deleteMessage(first.channelId, first.id);
  await editMission(admin, mission.id, { name: 'Op Second Copy' });
  const second = await cardOf(world, pilot, /Op Second Copy/);
  expect(second.id).not.toBe(first.id);
  await nothingLeft(world);
  expect(await rowOf(pilot)).toMatchObject({ state: 'sent', messageId: second.id, dmChannelId: first.channelId });
  const nonces = asked('POST', first.channelId).map(({ body }) => (body as { nonce: string }).nonce);
  expect(new Set(nonces).size).toBe(2);
});

test('a deleted card that is no longer pending is not posted again', async () => {
  const pilot = await givenFreePilot();
  await givenMission(world.service, admin);
  const card = await cardOf(world, pilot);
  await nothingLeft(world);
  world.emulator.deleteMessage(card.channelId, card.id);
  await respond(pilot, await orderOf(pilot), 'declined');
  await vi.waitFor(() => expect(asked('PATCH', card.channelId)).toHaveLength(1), { timeout: 20_000, interval: 20 });
  await nothingLeft(world);
  expect([(await rowOf(pilot)).state, messages(pilot)]).toEqual(['sent', []]);
});

test('unchanged content is not sent again', async () => {
  const pilot = await givenFreePilot();
  await givenMission(world.service, admin);
  const card = await cardOf(world, pilot);
  await nothingLeft(world);
  await change(pilot);
  await nothingLeft(world);
  expect((await rowOf(pilot)).state).toBe('sent');
  expect(asked('PATCH', card.channelId)).toEqual([]);
  expect(textOf(await cardOf(world, pilot))).toBe(textOf(card));
});

test('a change while its message is being sent is sent after it', async () => {
  const pilot = await givenFreePilot();
  world.emulator.fail({ method: 'POST', path: /\/messages$/, kind: 'status', status: 503, when: 'after' });
  await givenMission(world.service, admin);
  await vi.waitFor(() => expect(messages(pilot)).toHaveLength(1), { timeout: 20_000, interval: 20 });
  await respond(pilot, await orderOf(pilot), 'accepted');
  await cardOf(world, pilot, 'Accepted');
});

describe('a message whose first attempt may have been posted', () => {
  const lookBacks = () =>
    world.emulator.requests.filter(({ method, query: given }) => method === 'GET' && given.includes('after=')).length;
  /** when Discord was asked to post */
  const posts = () =>
    world.emulator.requests
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))
      .map(({ atMs }) => atMs);
  const post = { method: 'POST', path: /\/messages$/ } as const;

  test('is looked for once, and then only waits for the rate limit', async () => {
    const pilot = await givenFreePilot();
    const before = lookBacks();
    world.emulator.fail({ ...post, kind: 'drop' });
    world.emulator.fail({ ...post, kind: 'rate limit', retryAfterSeconds: 0.05, times: 4 });
    await givenMission(world.service, admin);
    await cardOf(world, pilot);
    await nothingLeft(world);
    expect(lookBacks() - before).toBe(1);
  });

  test('is looked for with the back-off of its attempts, however often it changes meanwhile', async () => {
    const pilot = await givenFreePilot();
    const begun = posts().length;
    world.emulator.fail({ ...post, kind: 'status', status: 500, times: Infinity });
    await givenMission(world.service, admin);
    await vi.waitFor(async () => expect((await rowOf(pilot)).state).toBe('queued'), { timeout: 20_000, interval: 20 });
    // it changes all the time until its third attempt, which comes two seconds or more after the second
    while (posts().length < begun + 3) await change(pilot);
    const [first = 0, second = 0, third = 0] = posts().slice(begun);
    expect(second - first).toBeGreaterThanOrEqual(1_000);
    expect(third - second).toBeGreaterThanOrEqual(2_000);
    await vi.waitFor(async () => expect((await rowOf(pilot)).attempts).toBe(3), { timeout: 20_000, interval: 20 });
    world.emulator.clearFaults();
    await cardOf(world, pilot);
  });
});

test('old rows about a mission and its orders are kept until the mission is over', async () => {
  const pilot = await givenFreePilot();
  const { mission } = await givenMission(world.service, admin);
  await cardOf(world, pilot);
  await nothingLeft(world);
  const { id: orderId } = await orderOf(pilot);
  await query(em(), givenPostRow({ kind: 'news', dedupeKey: 'old:news', subjectId: mission.id, state: 'sent' }));
  const subjects = [mission.id, orderId].sort();
  await query(
    em(),
    sql`update discord_post set updated_at = now() - interval '91 days' where subject_id = any(${subjects})`,
  );
  const left = async () => {
    await purgePosts(em());
    const found = await query<{ about: string }>(
      em(),
      sql`select subject_id as about from discord_post where subject_id = any(${subjects})`,
    );
    return found.map(({ about }) => about).sort();
  };
  expect(await left()).toEqual(subjects);
  await query(em(), sql`update mission set ends_at = now(), starts_at = now() - interval '1 hour'`);
  expect(await left()).toEqual([]);
});
