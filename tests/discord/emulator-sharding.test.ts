/** The emulator's shards: which servers each gets, how many it may have, and when it may identify. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { GatewayIntentBits as Intents } from 'discord-api-types/v10';
import { bareCall } from './emulator/bare-call.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator } from './emulator/types.ts';

let emulator: Emulator;
const open: WebSocket[] = [];
beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate();
  expect(emulator.violations).toEqual([]);
  await emulator.stop();
});

interface Heard {
  op: number;
  t: string | null;
  d: { guilds?: { id: string }[]; channel_id?: string; id?: string };
}

/** A shard that identifies. @returns what it hears, and the code with which it is closed */
async function identify(shardId: number, shardCount: number) {
  const socket = new WebSocket(`${emulator.url.replace('http', 'ws')}/gateway/?v=10&encoding=json`);
  open.push(socket);
  const heard: Heard[] = [];
  const closed = new Promise<number>((resolve) => {
    socket.on('close', resolve);
  });
  const settled = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const payload = JSON.parse(data.toString('utf8')) as Heard;
      heard.push(payload);
      if (payload.op === 9 || payload.t === 'READY') resolve();
    });
    socket.on('close', () => resolve());
  });
  await new Promise((resolve) => {
    socket.on('open', resolve);
  });
  const properties = { os: 'linux', browser: 'test', device: 'test' };
  const shard = [shardId, shardCount];
  const intents = Intents.Guilds | Intents.DirectMessages;
  socket.send(JSON.stringify({ op: 2, d: { token: emulator.token, properties, intents, shard } }));
  await settled;
  return { heard, closed, guilds: heard.find(({ t }) => t === 'READY')?.d.guilds?.map(({ id }) => id) };
}

/** An id that a shard of three gets, by Discord's formula: `(guild_id >> 22) % num_shards`. */
const idOf = (shardId: number, n = 1) => String(((BigInt(n) * 3n + BigInt(shardId)) << 22n) + 17n);

test('a shard gets the servers that the formula names, and the first one direct messages', async () => {
  emulator.setSharding({ recommended: 3, maxConcurrency: 3 });
  const { answer } = await bareCall(emulator, 'GET', '/gateway/bot');
  expect(answer).toMatchObject({ shards: 3, session_start_limit: { max_concurrency: 3 } });
  for (const shardId of [0, 1, 2]) emulator.addGuild({ id: idOf(shardId), name: `Wing ${shardId}` });
  const shards = [await identify(0, 3), await identify(1, 3), await identify(2, 3)];
  expect(shards.map(({ guilds }) => guilds)).toEqual([[idOf(0)], [idOf(1)], [idOf(2)]]);
  expect(emulator.sessions().map(({ shardId, shardCount }) => [shardId, shardCount])).toEqual([
    [0, 3],
    [1, 3],
    [2, 3],
  ]);
  const pilot = emulator.addMember(idOf(2), { username: 'amber' });
  const { answer: direct } = await bareCall(emulator, 'POST', '/users/@me/channels', { recipient_id: pilot });
  await bareCall(emulator, 'POST', `/channels/${direct.id}/messages`, { content: 'hello' });
  const created = (n: number) => shards[n]?.heard.filter(({ t }) => t === 'MESSAGE_CREATE').length;
  await expect.poll(() => created(0)).toBe(1);
  expect([created(1), created(2)]).toEqual([0, 0]);
});

test('a shard with more than 2,500 servers is closed with 4011, and one more is recommended for each thousand', async () => {
  emulator.limitRates(false);
  for (let n = 0; n < 2500; n += 1) emulator.addGuild({ id: idOf(0, n + 1), name: `Wing ${n}` });
  expect((await bareCall(emulator, 'GET', '/gateway/bot')).answer.shards).toBe(3);
  expect((await identify(0, 1)).guilds).toHaveLength(2500);
  emulator.addGuild({ id: idOf(1), name: 'One more' });
  expect(await (await identify(0, 1)).closed).toBe(4011);
  expect((await identify(0, 3)).guilds).toHaveLength(2500);
  expect((await identify(1, 3)).guilds).toEqual([idOf(1)]);
});

test('within five seconds as many shards may identify as max_concurrency says, each with a key of its own', async () => {
  emulator.setSharding({ maxConcurrency: 2 });
  expect((await identify(0, 4)).guilds).toEqual([]);
  expect((await identify(1, 4)).guilds).toEqual([]);
  // 2 % 2 is the key of the first
  const early = await identify(2, 4);
  expect(early.heard.at(-1)).toMatchObject({ op: 9, d: false });
});

test('a silent shard gets nothing, and what it missed with its resume; the others go on', async () => {
  emulator.setSharding({ maxConcurrency: 3 });
  for (const shardId of [0, 1]) emulator.addGuild({ id: idOf(shardId), name: `Wing ${shardId}` });
  const [first, second] = [await identify(0, 3), await identify(1, 3)];
  emulator.silenceShard(1, true);
  for (const shardId of [0, 1]) emulator.renameGuild(idOf(shardId), `Wing ${shardId} renamed`);
  const renamed = ({ heard }: typeof first) => heard.filter(({ t }) => t === 'GUILD_UPDATE').length;
  await expect.poll(() => renamed(first)).toBe(1);
  expect(renamed(second)).toBe(0);
  emulator.silenceShard(1, false);
  expect(await second.closed).toBe(1006);
  emulator.endShard(0);
  expect(await first.closed).toBe(4009);
});
