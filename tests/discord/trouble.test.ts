/** Trouble between a click and its answer: lateness, restarts, an absent server, refusals of Discord. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningBot } from '#bot/instance.ts';
import { createServerCalls } from '#bot/server.ts';
import { startService } from '#tests/harness/service.ts';
import type { StoredMessage } from './emulator/types.ts';
import {
  botOnline,
  eventually,
  givenDiscordGuild,
  givenLinkedPilot,
  listEvents,
  startDiscord,
  type DiscordWorld,
} from './given.ts';
import { buttonsOf, linkOf, privateText, textOf } from './read.ts';
import { startWire, type Wire } from './wire.ts';

let world: DiscordWorld;
let wire: Wire;
let bot: RunningBot;
let guildId: string;
let channelIds: Record<string, string>;
let pilot: Awaited<ReturnType<typeof givenLinkedPilot>>;
beforeAll(async () => {
  world = await startDiscord({ withBot: false });
  wire = await startWire(world.service.url);
  bot = world.startBot({ serverUrl: wire.url, instanceId: 'first' });
  await botOnline(world, 'first');
  ({ id: guildId, channelIds } = await givenDiscordGuild(world));
  pilot = await givenLinkedPilot(world, guildId);
});
afterAll(async () => {
  await world.stop();
  await wire.stop();
});

const use = (path: string, values = {}) => world.emulator.command(pilot.discordUserId, guildId, path, values);
const failures = async () => (await listEvents(world, guildId)).filter(({ type }) => type === 'command_failed');
const isAnswered = async () =>
  expect(privateText(await use('status show'), pilot.discordUserId)).toContain('Your status is');

/** A message of the bot with buttons that no version of it creates. */
async function givenOldMessage(): Promise<StoredMessage> {
  const channelId = channelIds['general'] ?? '';
  const answer = await fetch(`${world.emulator.apiUrl}/v10/channels/${channelId}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bot ${world.emulator.token}`,
      'content-type': 'application/json',
      'user-agent': 'DiscordBot (https://marshal.example, 0.1)',
    },
    body: JSON.stringify({
      content: 'Old',
      components: [
        {
          type: 1,
          components: ['v0:accept:1', 'v1:launch:1', 'v1:accept', 'v1:constructor:1', 'accept'].map((id) => ({
            type: 2,
            style: 1,
            label: id,
            custom_id: id,
          })),
        },
      ],
    }),
  });
  expect(answer.status).toBe(200);
  const [message] = world.emulator.messages(channelId);
  if (!message) throw new Error('no message');
  return message;
}

test('a button of another version or an unknown one is answered with one sentence', async () => {
  const message = await givenOldMessage();
  for (const { label } of buttonsOf(message)) {
    const outcome = await world.emulator.press(pilot.discordUserId, message.id, label);
    expect(privateText(outcome, pilot.discordUserId)).toBe(
      'This button is from another version of Marshal. Please use the commands: /help lists them.',
    );
  }
  expect(await failures()).toEqual([]);
});

test('late and second answers do no harm', async () => {
  world.emulator.expireInteractions(true);
  expect((await use('inbox')).answeredWith).toBeNull();
  world.emulator.expireInteractions(false);
  await isAnswered();
  const second = { path: /\/callback$/, kind: 'status', status: 400, code: 40060, when: 'after' } as const;
  world.emulator.fail({ ...second, message: 'Interaction has already been acknowledged.' });
  const outcome = await world.emulator.command(pilot.discordUserId, guildId, 'inbox', {}, { untilReplied: false });
  expect(outcome.answeredWith).toBe('deferred');
  await isAnswered();
  expect(await failures()).toEqual([]);
});

test('an answer that Discord refuses is reported to the user and recorded for the admins once', async () => {
  world.emulator.fail({
    method: 'PATCH',
    path: /\/messages\/@original$/,
    kind: 'status',
    status: 400,
    code: 50035,
    message: 'Invalid Form Body',
  });
  const outcome = await use('missions');
  expect(privateText(outcome, pilot.discordUserId)).toBe(
    'Something went wrong. Please try again; if it happens again, tell an admin.',
  );
  await eventually(async () =>
    expect(await failures()).toEqual([{ type: 'command_failed', data: '/missions', error: 'Discord answered 50035' }]),
  );
});

test('an unreachable server is answered with one sentence, for commands and buttons, without an event for admins', async () => {
  const inbox = await use('inbox');
  const before = await failures();
  wire.setCut(true);
  const away = 'Marshal cannot be reached right now. Please try again in a minute.';
  expect(privateText(await use('missions'), pilot.discordUserId)).toBe(away);
  const pressed = await world.emulator.press(pilot.discordUserId, inbox.reply?.id ?? '', 'Stop direct messages');
  expect(privateText(pressed, pilot.discordUserId)).toBe(away);
  expect((await world.emulator.autocomplete(pilot.discordUserId, guildId, 'rsvp', 'order', '')).choices).toEqual([]);
  wire.setCut(false);
  await isAnswered();
  expect(await failures()).toEqual(before);
});

test('a server that takes too long leaves an autocomplete empty within the three seconds that Discord waits', async () => {
  wire.setHanging(true);
  const { answeredWith, choices } = await world.emulator.autocomplete(
    pilot.discordUserId,
    guildId,
    'rsvp',
    'order',
    '',
  );
  wire.setHanging(false);
  expect([answeredWith, choices]).toEqual(['choices', []]);
  await isAnswered();
});

test('buttons from before a restart work after it', async () => {
  const stranger = world.emulator.addMember(guildId, { username: 'stranger' });
  const asked = await world.emulator.command(stranger, guildId, 'inbox');
  const inbox = await use('inbox');
  await bot.stop();
  expect(world.emulator.connections()).toBe(0);
  bot = world.startBot({ instanceId: 'after the restart' });
  await botOnline(world, 'after the restart');
  const pressed = await world.emulator.press(stranger, asked.reply?.id ?? '', 'Register');
  expect(linkOf(pressed.reply, 'Open registration').searchParams.get('discord_id')).toBe(stranger);
  const off = await world.emulator.press(pilot.discordUserId, inbox.reply?.id ?? '', 'Stop direct messages');
  expect(textOf(off.reply)).toContain('You have no frag orders');
  expect(buttonsOf(off.reply).map(({ label }) => label)).toContain('Send me direct messages');
});

test('repeated /login requests are limited', async () => {
  const beside = await startService({ env: { AUTH_ATTEMPTS_PER_MINUTE: '2' }, beside: world.service });
  const { reply } = createServerCalls(beside.url, beside.app.botToken);
  const { discordUserId, discordUsername } = pilot;
  const ask = () => reply.login.mutate({ actor: { discordUserId, discordUsername, guildId, canManageGuild: false } });
  const answers = await Promise.allSettled(Array.from({ length: 8 }, ask));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason.message)] : []));
  // a minute may end between two of them, which resets the limit
  expect(refused.length).toBeGreaterThanOrEqual(4);
  expect([...new Set(refused)]).toEqual(['Too many attempts. Please wait a minute and try again.']);
  await beside.stop();
});
