/** Discord's limits in the emulator, by the words of Discord's documentation. */
import { PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { afterEach, expect, test, vi } from 'vitest';
import { bareCall } from './emulator/bare-call.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator, EmulatorOptions } from './emulator/types.ts';

let emulator: Emulator;
async function given(options: EmulatorOptions = {}) {
  emulator = await startEmulator(options);
  // without Manage Threads, with which a bot may post in a locked thread
  const botPermissions = 17_867_064_036_352n;
  return emulator.addGuild({ name: 'Lantern Wing', botPermissions, channels: [{ name: 'ops' }, { name: 'news' }] });
}
afterEach(() => emulator.stop());

const call = (method: string, path: string, body?: unknown, token = emulator.token) =>
  bareCall({ ...emulator, token }, method, path, body);
const post = (channelId = '', body: object = { content: 'hello' }) =>
  call('POST', `/channels/${channelId}/messages`, body);

test('a bucket is told in headers, and full it answers 429 until it resets; other channels have their own', async () => {
  const { channelIds } = await given();
  const first = await post(channelIds.ops);
  expect(first.status).toBe(200);
  expect(first.headers.get('x-ratelimit-limit')).toBe('5');
  expect(first.headers.get('x-ratelimit-remaining')).toBe('4');
  expect(Number(first.headers.get('x-ratelimit-reset-after'))).toBeGreaterThan(4);
  expect(first.headers.get('x-ratelimit-bucket')).not.toBeNull();
  expect(first.headers.get('x-ratelimit-scope')).toBeNull();
  for (let count = 0; count < 4; count += 1) await post(channelIds.ops);
  const refused = await post(channelIds.ops);
  expect(refused.status).toBe(429);
  expect(refused.answer).toMatchObject({ message: 'You are being rate limited.', global: false });
  expect(refused.answer.retry_after).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBe(Math.ceil(refused.answer.retry_after));
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(refused.headers.get('x-ratelimit-scope')).toBe('user');
  expect((await post(channelIds.news)).status).toBe(200);
  expect(emulator.messages(channelIds.ops ?? '')).toHaveLength(5);
  expect(emulator.invalidRequests()).toBe(1);
  await vi.waitFor(async () => expect((await post(channelIds.ops)).status).toBe(200), { timeout: 8000, interval: 500 });
});

test('more than 50 requests a second are refused for all calls of the bot', async () => {
  await given();
  const answers = await Promise.all(Array.from({ length: 60 }, () => call('GET', '/applications/@me')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).not.toEqual([]);
  const global = refused.find(({ headers }) => headers.get('x-ratelimit-scope') === 'global');
  expect(global?.answer).toMatchObject({ global: true });
  expect(global?.headers.get('x-ratelimit-global')).toBe('true');
});

test('too many invalid requests in ten minutes ban the address', async () => {
  await given({ wideLimits: ['requests'] });
  // Discord's 10,000 would take ten seconds here
  emulator.setRate('invalid', { count: 100, perMs: 600_000 });
  for (let count = 0; count < 100; count += 1) {
    expect((await call('GET', '/users/@me', undefined, 'wrong')).status).toBe(401);
  }
  const banned = await call('GET', '/users/@me');
  expect([banned.status, banned.answer]).toEqual([429, 'error code: 1015']);
  expect(Number(banned.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(banned.headers.get('via')).toBeNull();
});

test('a link whose host has no dot is malformed, in embeds and on buttons', async () => {
  const { channelIds } = await given();
  const link = (url: string) => ({
    components: [{ type: 1, components: [{ type: 2, style: 5, label: 'Open', url }] }],
  });
  const embed = (url: string) => ({ embeds: [{ title: 'Order', url }] });
  for (const make of [link, embed]) {
    expect((await post(channelIds.ops, make('https://marshal.example/home'))).status).toBe(200);
    const { status, answer } = await post(channelIds.news, make('http://localhost:3000/home'));
    expect([status, answer.code]).toEqual([400, 50035]);
    expect(JSON.stringify(answer.errors)).toContain('Not a well formed URL.');
  }
});

test('an archived thread takes no edits; a message wakes it, unless it is locked', async () => {
  const { id, channelIds } = await given();
  const thread = emulator.addChannel(id, { name: 'tonight', type: 11, parentId: channelIds.ops ?? '' });
  const { answer: message } = await post(thread);
  const edit = () => call('PATCH', `/channels/${thread}/messages/${message.id}`, { content: 'new' });
  emulator.updateChannel(id, thread, { archived: true });
  expect(await edit()).toMatchObject({ status: 400, answer: { code: 50083 } });
  expect((await post(thread)).status).toBe(200);
  expect((await edit()).status).toBe(200);
  emulator.updateChannel(id, thread, { locked: true });
  expect(await post(thread)).toMatchObject({ answer: { code: 160005 } });
  emulator.updateChannel(id, thread, { archived: true });
  expect(await post(thread)).toMatchObject({ answer: { code: 50083 } });
});

const event = (startMs: number, endMs: number) => ({
  name: 'Op Dawn',
  privacy_level: 2,
  entity_type: 3,
  entity_metadata: { location: 'Caucasus' },
  scheduled_start_time: new Date(startMs).toISOString(),
  scheduled_end_time: new Date(endMs).toISOString(),
});

test('an external event starts and ends by itself', async () => {
  const { id } = await given();
  const now = Date.now();
  const made = await call('POST', `/guilds/${id}/scheduled-events`, event(now + 700, now + 1400));
  expect(made.answer.status).toBe(1);
  await emulator.until('it has started', () => emulator.scheduledEvents(id)[0]?.status === 2);
  expect(Date.now()).toBeGreaterThanOrEqual(now + 700);
  await emulator.until('it has ended', () => emulator.scheduledEvents(id)[0]?.status === 3);
  expect(Date.now()).toBeGreaterThanOrEqual(now + 1400);
});

test('creating events takes Create Events, and a server holds at most 100', async () => {
  await given({ wideLimits: ['requests'] });
  const later = event(Date.now() + 3_600_000, Date.now() + 7_200_000);
  const plain = emulator.addGuild({ name: 'Manager', everyone: 0n, botPermissions: Bits.ManageEvents });
  expect(await call('POST', `/guilds/${plain.id}/scheduled-events`, later)).toMatchObject({
    status: 403,
    answer: { code: 50013 },
  });
  const open = emulator.addGuild({ name: 'Open' });
  const made = await Promise.all(
    Array.from({ length: 100 }, () => call('POST', `/guilds/${open.id}/scheduled-events`, later)),
  );
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await call('POST', `/guilds/${open.id}/scheduled-events`, later)).toMatchObject({
    status: 400,
    answer: { code: 30038 },
  });
});
