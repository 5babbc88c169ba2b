/** Rules of Discord that only show when they are broken, by the words of Discord's documentation. */
import { PermissionFlagsBits as Bits, RESTJSONErrorCodes } from 'discord-api-types/v10';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { bareCall } from './emulator/bare-call.ts';
import { checkAnswer } from './emulator/contract.ts';
import { startEmulator } from './emulator/start.ts';
import { createWorld } from './emulator/state.ts';
import type { Emulator } from './emulator/types.ts';

let emulator: Emulator;
let guild: ReturnType<Emulator['addGuild']>;
beforeEach(async () => {
  emulator = await startEmulator({ wideLimits: ['requests', 'gateway'] });
  guild = emulator.addGuild({
    name: 'Lantern Wing',
    // without Mention Everyone, which Discord gives to everyone in a new server
    everyone: Bits.ViewChannel | Bits.SendMessages | Bits.ReadMessageHistory,
    roles: [
      { name: 'Pilots', permissions: 0n, isMentionable: true },
      { name: 'Staff', permissions: 0n },
    ],
    channels: [{ name: 'ops' }, { name: 'news', type: 5 }],
    members: [{ username: 'amber' }],
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await emulator.stop();
});

const channel = (name: string) => guild.channelIds[name] ?? '';
const role = (name: string) => guild.roleIds[name] ?? '';
const post = (name: string, body: object) => bareCall(emulator, 'POST', `/channels/${channel(name)}/messages`, body);
const edit = (name: string, id: string, content: string) =>
  bareCall(emulator, 'PATCH', `/channels/${channel(name)}/messages/${id}`, { content });
const stored = (name: string) => emulator.messages(channel(name));
const mayMentionEveryone = () =>
  emulator.updateRole(guild.id, role('marshal'), { permissions: Bits.MentionEveryone | Bits.SendMessages });

describe('nonces', () => {
  // https://docs.discord.com/developers/resources/message#create-message: "If another message was created by the same
  // author with the same nonce, that message will be returned and no new message will be created."
  test('are unique for an author, not for a channel', async () => {
    const first = await post('ops', { content: 'once', nonce: 'a1', enforce_nonce: true });
    const second = await post('news', { content: 'elsewhere', nonce: 'a1', enforce_nonce: true });
    expect([second.status, second.answer.id, second.answer.channel_id]).toEqual([200, first.answer.id, channel('ops')]);
    expect(stored('news')).toEqual([]);
  });

  test('are told to the sender, and no longer when the message is read', async () => {
    const made = await post('ops', { content: 'once', nonce: 'a1' });
    expect(made.answer.nonce).toBe('a1');
    const read = await bareCall(emulator, 'GET', `/channels/${channel('ops')}/messages/${made.answer.id}`);
    expect(read.answer.nonce).toBeUndefined();
  });
});

describe('mentions', () => {
  // https://docs.discord.com/developers/resources/message#allowed-mentions-object
  const mentioned = async (content: string, allowed?: object) => {
    const { answer } = await post('ops', { content, allowed_mentions: allowed });
    const kept = stored('ops').find(({ id }) => id === answer.id);
    expect(answer.mention_roles).toEqual(kept?.mentionedRoles);
    return { roles: kept?.mentionedRoles, everyone: kept?.mentionsEveryone };
  };

  test('reach a role only if it is mentionable, or the bot may mention everyone', async () => {
    const [pilots, staff] = [role('Pilots'), role('Staff')];
    const both = `@here <@&${pilots}> <@&${staff}>`;
    expect(await mentioned(both)).toEqual({ roles: [pilots], everyone: false });
    expect(await mentioned(both, { parse: [], roles: [staff] })).toEqual({ roles: [], everyone: false });
    mayMentionEveryone();
    expect(await mentioned(both)).toEqual({ roles: [pilots, staff], everyone: true });
    expect(await mentioned(both, { parse: [], roles: [staff] })).toEqual({ roles: [staff], everyone: false });
    // ids that the text does not name are ignored
    expect(await mentioned('nobody', { parse: [], roles: [staff] })).toEqual({ roles: [], everyone: false });
    expect(await mentioned(both, { parse: [] })).toEqual({ roles: [], everyone: false });
  });

  test('of a server’s own role go over the gateway with its flag', async () => {
    const roles = await bareCall(emulator, 'GET', `/guilds/${guild.id}/roles`);
    const flags = roles.answer.map((one: { name: string; mentionable: boolean }) => [one.name, one.mentionable]);
    expect(Object.fromEntries(flags)).toMatchObject({ Pilots: true, Staff: false });
  });
});

describe('replies', () => {
  const reply = (messageId: string, more: object = {}) =>
    post('ops', { content: 'reply', message_reference: { message_id: messageId, ...more } });

  test('show the message that they answer', async () => {
    const { answer: first } = await post('ops', { content: 'first' });
    const { answer } = await reply(first.id);
    expect(answer).toMatchObject({
      type: 19,
      message_reference: { type: 0, message_id: first.id, channel_id: channel('ops'), guild_id: guild.id },
      referenced_message: { id: first.id, content: 'first' },
    });
    expect(stored('ops').at(-1)).toMatchObject({ replyTo: first.id });
  });

  // `fail_if_not_exists`: https://docs.discord.com/developers/resources/message#message-reference-structure
  test('to a message that is gone, or in another channel, are refused unless the sender says otherwise', async () => {
    const { answer: elsewhere } = await post('news', { content: 'elsewhere' });
    for (const id of [elsewhere.id, '1']) {
      const refused = await reply(id);
      expect([refused.status, refused.answer.code]).toEqual([400, 50035]);
      expect(refused.answer.errors).toEqual({
        message_reference: { _errors: [{ code: 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE', message: 'Unknown message' }] },
      });
      const plain = await reply(id, { fail_if_not_exists: false });
      expect([plain.status, plain.answer.type, plain.answer.message_reference]).toEqual([200, 0, undefined]);
    }
  });

  // "the current user must have the READ_MESSAGE_HISTORY permission"
  test('take the permission to read the history', async () => {
    const { answer: first } = await post('ops', { content: 'first' });
    const deny = Bits.ReadMessageHistory;
    emulator.updateChannel(guild.id, channel('ops'), { overwrites: [{ id: emulator.botUserId, type: 1, deny }] });
    expect((await reply(first.id)).answer.code).toBe(160002);
  });
});

describe('edits', () => {
  const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

  test('of messages older than an hour: three in six seconds and channel', async () => {
    const { answer: old } = await post('ops', { content: 'old' });
    for (let count = 0; count < 5; count += 1) expect((await edit('ops', old.id, `${count}`)).status).toBe(200);
    later(3_601_000);
    const { answer: young } = await post('ops', { content: 'young' });
    for (let count = 0; count < 3; count += 1) expect((await edit('ops', old.id, `again ${count}`)).status).toBe(200);
    const refused = await edit('ops', old.id, 'too often');
    expect(refused.status).toBe(429);
    expect(refused.answer).toMatchObject({ code: 30046, global: false, retry_after: expect.any(Number) });
    expect(stored('ops')[0]?.content).toBe('again 2');
    expect((await edit('ops', young.id, 'still')).status).toBe(200);
    later(6_001);
    expect((await edit('ops', old.id, 'now')).status).toBe(200);
  });

  test('of a published announcement: three in an hour, and only the body says for how long', async () => {
    const { answer } = await post('news', { content: 'news' });
    for (let count = 0; count < 5; count += 1) expect((await edit('news', answer.id, `${count}`)).status).toBe(200);
    emulator.publishMessage(channel('news'), answer.id);
    const read = await bareCall(emulator, 'GET', `/channels/${channel('news')}/messages/${answer.id}`);
    expect(read.answer.flags).toBe(1);
    for (let count = 0; count < 3; count += 1) expect((await edit('news', answer.id, `n ${count}`)).status).toBe(200);
    const refused = await edit('news', answer.id, 'too often');
    expect([refused.status, refused.answer.code]).toEqual([429, 20022]);
    expect(refused.answer.retry_after).toBeGreaterThan(3500);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(5);
    expect(refused.headers.get('x-ratelimit-scope')).toBe('shared');
    later(3_600_001);
    expect((await edit('news', answer.id, 'an hour later')).status).toBe(200);
  });
});

describe('refusals', () => {
  const world = () => createWorld({ redirectUris: [], isPublic: false }, () => undefined);

  test.each<[breach: string, body: unknown, violation: RegExp]>([
    ['no code', { message: 'Unknown Message' }, /code/],
    ['a code as text', { message: 'Unknown Message', code: '10008' }, /code/],
    ['a code that Discord does not have', { message: 'Unknown Message', code: 10_999 }, /10999/],
    ['no sentence', { code: 10_008 }, /message/],
    ['an unknown property', { message: 'x', code: 10_008, more: 1 }, /more: is no property/],
    [
      'an error tree without a leaf',
      { message: 'Invalid Form Body', code: 50_035, errors: { embeds: ['too long'] } },
      /errors/,
    ],
    [
      'a leaf without a code',
      { message: 'Invalid Form Body', code: 50_035, errors: { embeds: { _errors: [{ message: 'too long' }] } } },
      /code/,
    ],
    ['an error tree of another refusal', { message: 'x', code: 10_008, errors: {} }, /errors/],
  ])('with %s are found', (_breach, body, violation) => {
    const checked = world();
    checkAnswer(checked, 'GET /users/@me', 400, body);
    expect(checked.violations.join('\n')).toMatch(violation);
  });

  test('with a code, a sentence, and a tree of errors are as Discord sends them', () => {
    const checked = world();
    const errors = { embeds: { 0: { title: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'Required' }] } } } };
    checkAnswer(checked, 'GET /users/@me', 400, { message: 'Invalid Form Body', code: 50_035, errors });
    checkAnswer(checked, 'GET /users/@me', 404, { message: '404: Not Found', code: 0 });
    const edits = RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached;
    const waits = { retry_after: 1, global: false };
    checkAnswer(checked, 'GET /users/@me', 429, { message: 'Maximum number of edits', code: edits, ...waits });
    expect(checked.violations).toEqual([]);
  });
});

describe('what a connection to the gateway sends', () => {
  async function connect() {
    const socket = new WebSocket(`${emulator.url.replace('http', 'ws')}/gateway/?v=10&encoding=json`);
    const closed = new Promise<number>((resolve) => {
      socket.on('close', resolve);
    });
    await new Promise((resolve) => {
      socket.once('message', resolve);
    });
    return { socket, closed };
  }
  const heartbeat = JSON.stringify({ op: 1, d: null });

  // https://docs.discord.com/developers/events/gateway#rate-limiting
  test('is at most 120 payloads in a minute; the next one closes it with 4008', async () => {
    const { socket, closed } = await connect();
    let answers = 0;
    socket.on('message', () => {
      answers += 1;
    });
    for (let count = 0; count < 121; count += 1) socket.send(heartbeat);
    expect(await closed).toBe(4008);
    expect(answers).toBe(120);
    expect(emulator.violations).toEqual([expect.stringContaining('120')]);
  });

  test('is counted per connection and minute', async () => {
    const { socket } = await connect();
    const heard = (count: number) => {
      let left = count;
      return new Promise<void>((resolve) => {
        socket.on('message', () => {
          left -= 1;
          if (left === 0) resolve();
        });
      });
    };
    const first = heard(120);
    for (let count = 0; count < 120; count += 1) socket.send(heartbeat);
    await first;
    const second = await connect();
    second.socket.send(heartbeat);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_001 });
    const more = heard(1);
    socket.send(heartbeat);
    await more;
    expect(emulator.violations).toEqual([]);
    socket.terminate();
    second.socket.terminate();
  });

  // "Must not exceed 4096 bytes": https://docs.discord.com/developers/events/gateway#sending-events
  test('is at most 4,096 bytes; more closes it with 4002', async () => {
    const { socket, closed } = await connect();
    const presence = (name: string) => ({
      op: 3,
      d: { since: null, status: 'online', afk: false, activities: [{ name, type: 0 }] },
    });
    const empty = Buffer.byteLength(JSON.stringify(presence('')));
    // two bytes a letter
    socket.send(JSON.stringify(presence('é'.repeat(Math.floor((4096 - empty) / 2) + 1))));
    expect(await closed).toBe(4002);
    expect(emulator.violations).toEqual([expect.stringContaining('4096 bytes')]);
  });
});
