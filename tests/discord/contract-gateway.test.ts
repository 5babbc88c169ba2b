/** The gateway half of the contract: what a bot and the emulator send, checked against Discord's schemas like requests. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { checkDispatch } from './emulator/contract-gateway.ts';
import { checkAnswer } from './emulator/contract.ts';
import { createGuildActs } from './emulator/guild-acts.ts';
import { writeMessage } from './emulator/messages.ts';
import { guildCreateShape, memberShape, messageShape } from './emulator/shapes.ts';
import { startEmulator } from './emulator/start.ts';
import { createWorld } from './emulator/state.ts';
import type { Emulator } from './emulator/types.ts';

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({ wideLimits: ['gateway'] });
});
afterEach(() => {
  (emulator.violations as string[]).length = 0;
});
afterAll(() => emulator.stop());

test.each<[breach: string, payload: unknown, code: number, violation: RegExp]>([
  [
    'an identify without intents',
    { op: 2, d: { token: 'x', properties: { os: '', browser: '', device: '' } } },
    4002,
    /op 2: d\.intents/,
  ],
  ['an unknown property', { op: 1, d: null, more: 1 }, 4002, /op 1: .*more/],
  ['a resume with a number', { op: 6, d: { token: 'x', session_id: 1, seq: 0 } }, 4002, /op 6: d\.session_id/],
  ['members without a query', { op: 8, d: { guild_id: '1' } }, 4002, /op 8: d: names neither/],
  ['an unknown op', { op: 99, d: null }, 4002, /op 99/],
  ['no JSON', undefined, 4002, /not JSON/],
  ['members before the identify', { op: 8, d: { guild_id: '1', query: '', limit: 0 } }, 4003, /^$/],
  [
    'a wrong token',
    { op: 2, d: { token: 'x', intents: 1, properties: { os: '', browser: '', device: '' } } },
    4004,
    /^$/,
  ],
  [
    'an intent that is none',
    { op: 2, d: { token: 'TOKEN', intents: 2 ** 30, properties: { os: '', browser: '', device: '' } } },
    4013,
    /^$/,
  ],
])('the gateway hears %s', async (_breach, payload, code, violation) => {
  const socket = new WebSocket(`${emulator.url.replace('http', 'ws')}/gateway/?v=10&encoding=json`);
  const closed = new Promise<number>((resolve) => {
    socket.on('close', resolve);
  });
  socket.on('open', () => socket.send((JSON.stringify(payload) ?? '{').replace('TOKEN', emulator.token)));
  expect(await closed).toBe(code);
  if (violation.source === '^$') expect(emulator.violations).toEqual([]);
  else expect(emulator.violations).toEqual([expect.stringMatching(violation)]);
});

test('the gateway URL must name its version and encoding', async () => {
  const socket = new WebSocket(`${emulator.url.replace('http', 'ws')}/gateway/`);
  await new Promise((resolve) => {
    socket.on('open', resolve);
  });
  socket.close();
  expect(emulator.violations).toEqual([expect.stringMatching(/without v=10/)]);
});

test("with Discord's rate limits, a second identify within five seconds gets no session", async () => {
  emulator.limitRates(true);
  const first = async () => {
    const socket = new WebSocket(`${emulator.url.replace('http', 'ws')}/gateway/?v=10&encoding=json`);
    const properties = { os: '', browser: '', device: '' };
    const heard = await new Promise<{ op: number; t: string | null; d: unknown }>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const payload = JSON.parse(data.toString('utf8')) as { op: number; t: string | null; d: unknown };
        if (payload.op !== 10) resolve(payload);
        else socket.send(JSON.stringify({ op: 2, d: { token: emulator.token, intents: 1, properties } }));
      });
    });
    socket.close();
    return heard;
  };
  expect(await first()).toMatchObject({ op: 0, t: 'READY' });
  expect(await first()).toMatchObject({ op: 9, d: false });
  emulator.limitRates(false);
  expect(await first()).toMatchObject({ op: 0, t: 'READY' });
});

describe('what the emulator itself sends', () => {
  const world = createWorld({ redirectUris: [], isPublic: false }, () => undefined);
  const acts = createGuildActs(world);
  const { id, channelIds } = acts.addGuild({
    name: 'Wing',
    channels: [{ name: 'general' }],
    members: [{ username: 'amber' }],
  });
  const guild = world.guilds.get(id);
  const member = [...(guild?.members.values() ?? [])][0];
  const channel = world.channels.get(channelIds['general'] ?? '');
  if (guild === undefined || member === undefined || channel === undefined) throw new Error('The world is empty');
  const message = writeMessage(world, { channel, author: world.bot, body: { content: 'x' } });

  test.each<[breach: string, event: string, data: object, violation: RegExp | null]>([
    ['a guild', 'GUILD_CREATE', guildCreateShape(guild, world), null],
    [
      'a guild without roles',
      'GUILD_CREATE',
      { ...guildCreateShape(guild, world), roles: undefined },
      /GUILD_CREATE: roles/,
    ],
    ['a guild with more', 'GUILD_CREATE', { ...guildCreateShape(guild, world), colour: 1 }, /colour: is no property/],
    [
      'a guild with a strange member',
      'GUILD_CREATE',
      { ...guildCreateShape(guild, world), members: [{}] },
      /members\.0\.roles/,
    ],
    ['a member', 'GUILD_MEMBER_ADD', { ...memberShape(member), guild_id: id }, null],
    [
      'a member whose id is a number',
      'GUILD_MEMBER_UPDATE',
      { ...memberShape(member), roles: [1], guild_id: id },
      /roles\.0/,
    ],
    ['a message', 'MESSAGE_CREATE', { ...messageShape(message, world), guild_id: id }, null],
    ['a message without a time', 'MESSAGE_CREATE', { ...messageShape(message, world), timestamp: 'now' }, /timestamp/],
    ['a role', 'GUILD_ROLE_UPDATE', { guild_id: id, role: {} }, /role\.permissions/],
    ['an interaction', 'INTERACTION_CREATE', { id: '1', token: '' }, /INTERACTION_CREATE: token/],
    ['a channel', 'CHANNEL_UPDATE', { guild_id: id, name: 'x' }, /CHANNEL_UPDATE/],
  ])('%s', (_breach, event, data, violation) => {
    world.violations.length = 0;
    checkDispatch(world, event, data);
    if (violation === null) expect(world.violations).toEqual([]);
    else expect(world.violations.some((one) => violation.test(one))).toBe(true);
  });

  test('answers are checked too', () => {
    world.violations.length = 0;
    checkAnswer(world, 'GET /channels/{channel_id}/messages/{message_id}', 200, {
      ...messageShape(message, world),
      content: 1,
    });
    checkAnswer(world, 'DELETE /channels/{channel_id}/messages/{message_id}', 404, { message: 'Unknown Message' });
    expect(world.violations).toEqual([
      expect.stringMatching(/answered 200: content/),
      expect.stringMatching(/answered 404: code/),
    ]);
  });
});
