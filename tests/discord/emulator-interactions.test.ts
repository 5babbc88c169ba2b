/** Buttons and commands of the emulator, answered by Discord's own client. */
import { REST } from '@discordjs/rest';
import { PermissionFlagsBits as Bits, Routes } from 'discord-api-types/v10';
import { ButtonStyle, ComponentType, type Client } from 'discord.js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectClient, onInteraction } from './emulator/client.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator } from './emulator/types.ts';

let emulator: Emulator;
let client: Client<true>;
let rest: REST;
let guild: ReturnType<Emulator['addGuild']>;
let pilot: string;
let other: string;
let stopAnswering = () => {};

beforeAll(async () => {
  emulator = await startEmulator();
  guild = emulator.addGuild({
    name: 'Coalition Wing',
    roles: [{ name: 'Staff', permissions: Bits.ManageGuild }],
    channels: [{ name: 'general' }],
  });
  pilot = emulator.addMember(guild.id, { username: 'pilot-3' });
  other = emulator.addMember(guild.id, { username: 'pilot-4' });
  client = await connectClient(emulator);
  rest = new REST({ api: emulator.apiUrl, retries: 1 }).setToken(emulator.token);
});

afterEach(() => {
  emulator.expireInteractions(false);
  stopAnswering();
});

afterAll(async () => {
  await client.destroy();
  expect(emulator.violations).toEqual([]);
  await emulator.stop();
});

const general = () => guild.channelIds['general'] ?? '';
const post = (body: object) => rest.post(Routes.channelMessages(general()), { body }) as Promise<{ id: string }>;
/** Discord's code when it refuses; 0 when it does not. */
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 0,
    (error: { code: number }) => error.code,
  );
const answer = (work: Parameters<typeof onInteraction>[1]) => {
  stopAnswering = onInteraction(client, work);
};

const row = (...buttons: object[]) => [{ type: ComponentType.ActionRow, components: buttons }];
const button = (label: string, more: object = {}) => ({
  type: 2,
  style: ButtonStyle.Primary,
  label,
  custom_id: label,
  ...more,
});

test('a button press is deferred privately, then answered', async () => {
  answer(async (interaction) => {
    if (!interaction.isButton()) return;
    await interaction.deferReply({ flags: 64 });
    await interaction.editReply(`for ${interaction.user.username} in ${interaction.guild?.name}`);
  });
  const { id } = await post({ content: 'press', components: row(button('Go')) });
  const outcome = await emulator.press(pilot, id, 'Go');
  expect(outcome).toMatchObject({
    answeredWith: 'deferred',
    reply: { content: 'for pilot-3 in Coalition Wing', ephemeralFor: pilot },
  });
  await expect(emulator.press(other, outcome.reply?.id ?? '', 'Go')).rejects.toThrow('Only somebody else');
  expect(await codeOf(rest.get(Routes.channelMessage(general(), outcome.reply?.id ?? '')))).toBe(10008);
});

test('a button updates its own message', async () => {
  answer(async (interaction) => {
    if (!interaction.isButton()) return;
    if (interaction.customId === 'Now') return interaction.update({ content: 'updated', components: [] });
    await interaction.deferUpdate();
    return interaction.editReply({ content: 'later' });
  });
  const { id } = await post({ content: 'press', components: row(button('Later'), button('Now')) });
  expect(await emulator.press(pilot, id, 'Later')).toMatchObject({
    answeredWith: 'deferred update',
    reply: { id, content: 'later' },
  });
  expect(await emulator.press(pilot, id, 'Now')).toMatchObject({
    answeredWith: 'update',
    reply: { id, content: 'updated' },
  });
  await expect(emulator.press(pilot, id, 'Now')).rejects.toThrow('has no button');
});

test('disabled and unknown buttons cannot be pressed', async () => {
  const link = { type: 2, style: ButtonStyle.Link, label: 'Site', url: 'https://example.org/' };
  const { id } = await post({ content: 'x', components: row(button('Off', { disabled: true }), link) });
  await expect(emulator.press(pilot, id, 'Off')).rejects.toThrow('disabled');
  await expect(emulator.press(pilot, id, 'Site')).rejects.toThrow('link');
  await expect(emulator.press(pilot, id, 'None')).rejects.toThrow('it has: Off, Site');
});

test('second, late and missing answers', async () => {
  const codes: unknown[] = [];
  answer(async (interaction) => {
    if (!interaction.isButton() || interaction.customId === 'Silent') return;
    codes.push(
      await codeOf(
        rest.post(Routes.interactionCallback(interaction.id, interaction.token), { auth: false, body: { type: 6 } }),
      ),
    );
    if (interaction.customId === 'Twice') {
      codes.push(
        await codeOf(
          rest.post(Routes.interactionCallback(interaction.id, interaction.token), {
            auth: false,
            body: { type: 6 },
          }),
        ),
      );
    }
  });
  const { id } = await post({
    content: 'x',
    components: row(button('Twice'), button('Late'), button('Silent')),
  });
  await emulator.press(pilot, id, 'Twice', { untilReplied: false });
  await expect.poll(() => codes.length).toBe(2);
  emulator.expireInteractions(true);
  const late = emulator.press(pilot, id, 'Late');
  const silent = emulator.press(pilot, id, 'Silent');
  expect((await late).answeredWith).toBeNull();
  expect((await silent).answeredWith).toBeNull();
  expect(codes).toEqual([0, 40060, 10062]);
});

test('commands follow their registration: options, limits, permissions', async () => {
  await client.application.commands.set([
    {
      name: 'status',
      description: 'Your status',
      options: [
        {
          type: 1,
          name: 'set',
          description: 'Set it',
          options: [
            {
              type: 3,
              name: 'state',
              description: 'Which',
              required: true,
              choices: [{ name: 'Now', value: 'now' }],
            },
            { type: 4, name: 'minutes', description: 'How long', minValue: 5, maxValue: 60 },
          ],
        },
      ],
    },
    { name: 'setup', description: 'For staff', defaultMemberPermissions: Bits.ManageGuild, contexts: [0] },
    {
      name: 'rsvp',
      description: 'Answer',
      options: [{ type: 3, name: 'order', description: 'Which', autocomplete: true }],
    },
  ]);
  answer(async (interaction) => {
    if (interaction.isAutocomplete())
      await interaction.respond([{ name: interaction.options.getFocused(), value: '1' }]);
    if (!interaction.isChatInputCommand()) return;
    const minutes = interaction.options.getInteger('minutes', false);
    await interaction.reply({ content: `${interaction.commandName} ${minutes}`, flags: 64 });
  });
  const use = (path: string, values?: Record<string, string | number>, where: string | null = guild.id) =>
    emulator.command(pilot, where, path, values);
  expect((await use('status set', { state: 'now', minutes: 5 })).reply?.content).toBe('status 5');
  expect((await use('status set', { state: 'now' }, null)).reply?.content).toBe('status null');
  await expect(use('status set')).rejects.toThrow('needs its option "state"');
  await expect(use('status set', { state: 'then' })).rejects.toThrow('takes only "now"');
  await expect(use('status set', { state: 'now', minutes: 61 })).rejects.toThrow('takes 5 to 60');
  await expect(use('status set', { state: 'now', hours: 1 })).rejects.toThrow('no option "hours"');
  await expect(use('status')).rejects.toThrow('not whole');
  await expect(use('setup')).rejects.toThrow('no command /setup');
  emulator.updateMember(guild.id, pilot, { roles: [guild.roleIds['Staff'] ?? ''] });
  expect((await use('setup')).reply?.content).toBe('setup null');
  await expect(use('setup', {}, null)).rejects.toThrow('no command /setup');
  expect((await emulator.autocomplete(pilot, guild.id, 'rsvp', 'order', 'FRAG')).choices).toEqual([
    { name: 'FRAG', value: '1' },
  ]);
  expect(emulator.commands().map(({ name }) => name)).toEqual(['status', 'setup', 'rsvp']);
});
