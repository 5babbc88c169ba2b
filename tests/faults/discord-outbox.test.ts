/**
 * Dozens of announcements through two senders that are killed at random, with cut connections and false server errors:
 * each is posted exactly once. Against a Discord that forgets its messages, the same harness finds duplicates.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { query, sql } from '#server/schema/query.ts';
import { postsWithState } from '#tests/harness/discord-posts.ts';
import { startEmulator } from '#tests/discord/emulator/start.ts';
import type { Emulator, FaultSpec } from '#tests/discord/emulator/types.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { givenPost, givenServer } from '#tests/discord/posts.ts';
import { seeded, type Random } from '#tests/harness/seeded.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { createSender, passMinute, startForgetful, type Sender } from './senders.ts';

const SEED = 20_261_122;
const WAVES = inDrill(12, 3);
const PER_WAVE = 5;
/** Also fails reads, which the search for an already sent message needs. */
const FAULTS: readonly [Omit<FaultSpec, 'path'>, ...Omit<FaultSpec, 'path'>[]] = [
  { method: 'POST', kind: 'drop', when: 'after' },
  { method: 'POST', kind: 'drop', when: 'before' },
  { method: 'POST', kind: 'status', status: 500, when: 'after' },
  { method: 'POST', kind: 'status', status: 503, when: 'before' },
  { method: 'GET', kind: 'drop' },
  { method: 'GET', kind: 'status', status: 502 },
];

let service: Service;
let emulator: Emulator;
beforeAll(async () => {
  [service, emulator] = await Promise.all([startService(), startEmulator({ wideLimits: ['requests'] })]);
});
afterAll(async () => {
  await service.stop();
  const violations = [...emulator.violations];
  await emulator.stop();
  expect(violations).toEqual([]);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const postsAsked = () =>
  emulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages')).length;

const createSenders = (apiUrl: string): [Sender, Sender] => {
  const env = { DATABASE_URL: service.databaseUrl, DISCORD_TOKEN: emulator.token, DISCORD_API_URL: apiUrl };
  return [createSender(env), createSender(env)];
};

/** Kill one sender, or both, right after a request for a post has reached Discord. @returns the killed ones */
async function strike(senders: readonly [Sender, Sender], random: Random): Promise<readonly Sender[]> {
  const asked = postsAsked() + random.between(1, PER_WAVE - 1);
  await emulator.until('a post is asked for', () => postsAsked() >= asked).catch(() => undefined);
  const struck = random.chance(0.2) ? senders : [random.pick(senders)];
  await Promise.all(struck.map((sender) => sender.kill()));
  return struck;
}

interface Count {
  /** channels that have the announcement more than once */
  doubles: number;
  /** rows whose message is missing, or whose delivery is not recorded */
  lost: number;
}

async function count(channelIds: readonly string[]): Promise<Count> {
  const sent = await rows<{ channel: string; message: string }>(
    sql`select channel_id as channel, message_id as message from ${postsWithState} where state = 'sent'`,
  );
  const messageOf = new Map(sent.map(({ channel, message }) => [channel, message]));
  const there = channelIds.map((id) => ({ id, messages: emulator.messages(id) }));
  return {
    doubles: there.filter(({ messages }) => messages.length > 1).length,
    lost: there.filter(({ id, messages }) => !messages.some((message) => message.id === messageOf.get(id))).length,
  };
}

const allSent = (channelIds: readonly string[]): Promise<void> =>
  vi.waitFor(
    async () => {
      await passMinute(service);
      const waiting = await rows(
        sql`select id from ${postsWithState} where channel_id = any(${[...channelIds]}) and state in ('queued', 'sending')`,
      );
      expect(waiting).toEqual([]);
    },
    { timeout: 90_000, interval: 500 },
  );

const givenChannels = async (howMany: number): Promise<{ guildId: string; channelIds: string[] }> => {
  const names = Array.from({ length: howMany }, (_, index) => [`channel-${index}`, 'all'] as const);
  const { id, channels } = await givenServer({ service, emulator }, { channels: Object.fromEntries(names) });
  return { guildId: id, channelIds: Object.values(channels) };
};

test('killed between the post and its commit: found, deduplicated by nonce, or uncertain, and never posted twice', async () => {
  const { guildId, channelIds } = await givenChannels(4);
  const [found, foundLate, known, riddle] = channelIds as [string, string, string, string];
  for (const id of [known, riddle]) {
    const overwrites = [{ id: guildId, type: 0 as const, deny: PermissionFlagsBits.ReadMessageHistory }];
    emulator.updateChannel(guildId, id, { overwrites });
  }
  const senders = createSenders(emulator.apiUrl);
  // Discord posts but never responds: four posts at a time in the process that sends, the other one waits
  emulator.fail({ method: 'POST', path: /\/messages$/, kind: 'hang', when: 'after', times: 4 });
  await Promise.all(senders.map((sender) => sender.start()));
  const ids = await Promise.all(channelIds.map((channelId) => givenPost({ service }, guildId, channelId)));
  await vi.waitFor(() => expect(channelIds.map((id) => emulator.messages(id).length)).toEqual([1, 1, 1, 1]), {
    timeout: 20_000,
    interval: 10,
  });
  await Promise.all(senders.map((sender) => sender.kill()));
  const statesOf = async () => {
    const states = await rows<{ channel: string; state: string }>(
      sql`select channel_id as channel, state from ${postsWithState} where channel_id = any(${channelIds})`,
    );
    return channelIds.map((id) => states.find(({ channel }) => channel === id)?.state);
  };
  expect(await statesOf()).toEqual(['sending', 'sending', 'sending', 'sending']);
  // two of them an hour ago, so that Discord no longer remembers the nonce
  await rows(
    sql`update discord_post set first_tried_at = first_tried_at - interval '1 hour'
        where channel_id = any(${[foundLate, riddle]})`,
  );
  await senders[0].start();
  await allSent(channelIds);
  await senders[0].kill();
  expect(await statesOf()).toEqual(['sent', 'sent', 'sent', 'uncertain']);
  expect(channelIds.map((id) => emulator.messages(id).length)).toEqual([1, 1, 1, 1]);
  const posts = (channelId: string) =>
    emulator.requests.filter(({ method, path }) => method === 'POST' && path === `/channels/${channelId}/messages`)
      .length;
  expect([found, foundLate, known, riddle].map(posts)).toEqual([1, 1, 2, 1]);
  await rows(sql`delete from discord_post where id = any(${ids}::uuid[])`);
}, 120_000);

test(`${WAVES * PER_WAVE} announcements, two senders killed at random: none twice, none lost`, async () => {
  const random = seeded(SEED);
  const { guildId, channelIds } = await givenChannels(WAVES * PER_WAVE);
  const senders = createSenders(emulator.apiUrl);
  await Promise.all(senders.map((sender) => sender.start()));
  const restarts: Promise<void>[] = [];
  for (let wave = 0; wave < WAVES; wave += 1) {
    for (let faults = random.between(1, 3); faults > 0; faults -= 1) {
      emulator.fail({ path: /\/messages$/, ...random.pick(FAULTS) });
    }
    const struck = strike(senders, random);
    const due = channelIds.slice(wave * PER_WAVE, (wave + 1) * PER_WAVE);
    await Promise.all(due.map((channelId) => givenPost({ service }, guildId, channelId)));
    for (const sender of await struck) restarts.push(sender.start());
    // posts from before the kill must be found by searching, not deduplicated by nonce
    if (random.chance(0.4)) emulator.forgetNonces();
    await passMinute(service);
  }
  emulator.clearFaults();
  await Promise.all(restarts);
  await allSent(channelIds);
  await Promise.all(senders.map((sender) => sender.kill()));

  expect(await count(channelIds)).toEqual({ doubles: 0, lost: 0 });
  // the faults had an effect: some posts were retried, and some were found
  const [tries] = await rows<{ again: number }>(
    sql`select count(*) filter (where attempts > 1)::int as again from delivery where channel = 'discord'`,
  );
  expect(tries?.again).toBeGreaterThan(WAVES / 2);
  expect(emulator.requests.filter(({ method, status }) => method === 'GET' && status === 200).length).toBeGreaterThan(
    0,
  );
  expect(emulator.violations).toEqual([]);
}, 180_000);

test('a Discord without nonces and history gets duplicates, and the checker finds them', async () => {
  const { guildId, channelIds } = await givenChannels(PER_WAVE);
  const forgetful = await startForgetful(emulator.apiUrl);
  const [sender] = createSenders(forgetful.apiUrl);
  await sender.start();
  emulator.fail({ path: /\/messages$/, method: 'POST', kind: 'drop', when: 'after', times: 2 });
  await Promise.all(channelIds.map((channelId) => givenPost({ service }, guildId, channelId)));
  await allSent(channelIds);
  await sender.kill();
  await forgetful.stop();
  expect(await count(channelIds)).toEqual({ doubles: 2, lost: 0 });
}, 120_000);
