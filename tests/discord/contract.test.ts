/** A planted breach of every check is found and worded; a legal conversation has none. */
import { request } from 'node:http';
import { REST } from '@discordjs/rest';
import { Routes } from 'discord-api-types/v10';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectClient, onInteraction } from './emulator/client.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator } from './emulator/types.ts';

let emulator: Emulator;
let rest: REST;
let guildId: string;
let channelId: string;
let pilot: string;

beforeAll(async () => {
  emulator = await startEmulator({ wideLimits: ['requests', 'gateway'] });
  const guild = emulator.addGuild({ name: 'Wing', channels: [{ name: 'general' }], members: [{ username: 'amber' }] });
  guildId = guild.id;
  channelId = guild.channelIds['general'] ?? '';
  pilot = emulator.addMember(guildId, { username: 'brick' });
  rest = new REST({ api: emulator.apiUrl, retries: 0 }).setToken(emulator.token);
});
afterEach(() => {
  (emulator.violations as string[]).length = 0;
});
afterAll(() => emulator.stop());

const many = (count: number, make: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => make(index));
const button = (more: object = {}) => ({ type: 2, style: 1, label: 'Go', custom_id: 'go', ...more });
const rows = (...buttons: object[]) => [{ type: 1, components: buttons }];
const link = { style: 5, custom_id: undefined, url: 'https://example.org/' };
const command = (more: object = {}) => ({ name: 'help', description: 'Help', ...more });
const text = (name: string, more: object = {}) => ({ type: 3, name, description: 'Text', ...more });

describe('messages', () => {
  test.each<[breach: string, body: object, violation: RegExp, isRefused: boolean]>([
    ['content', { content: 'x'.repeat(2001) }, /content: Must be 2000/, true],
    [
      'embeds together',
      { embeds: many(2, () => ({ description: 'x'.repeat(3001) })) },
      /embeds: Embed size exceeds/,
      true,
    ],
    ['a description', { embeds: [{ description: 'x'.repeat(4097) }] }, /embeds\.0\.description/, true],
    ['eleven embeds', { embeds: many(11, () => ({ title: 'x' })) }, /embeds/, true],
    ['26 fields', { embeds: [{ fields: many(26, () => ({ name: 'a', value: 'b' })) }] }, /embeds\.0\.fields/, true],
    [
      'an empty field',
      { embeds: [{ fields: [{ name: 'a', value: '' }] }] },
      /fields\.0\.value: This field is required/,
      true,
    ],
    ['an empty embed', { embeds: [{ color: 1 }] }, /embeds\.0\.description: This field is required/, true],
    ['a colour', { embeds: [{ title: 'x', color: 0x1000000 }] }, /embeds\.0\.color/, true],
    ['an address', { embeds: [{ title: 'x', url: 'nowhere' }] }, /embeds\.0\.url/, true],
    ['a type', { content: 7 }, /content/, true],
    ['an unknown property', { content: 'x', colour: 1 }, /colour: is no property/, false],
    [
      'one deep within',
      { content: 'x', components: rows(button({ colour: 1 })) },
      /components\.0\.components\.0\.colour: is no property/,
      false,
    ],
    [
      'the same custom_id twice',
      { content: 'x', components: rows(button(), button()) },
      /custom id cannot be duplicated/,
      true,
    ],
    [
      'a label',
      { content: 'x', components: rows(button({ label: 'x'.repeat(81) })) },
      /components\.0\.components\.0\.label/,
      true,
    ],
    ['a custom_id', { content: 'x', components: rows(button({ custom_id: 'x'.repeat(101) })) }, /custom_id/, true],
    [
      'no custom_id',
      { content: 'x', components: rows(button({ custom_id: undefined })) },
      /A custom id is required/,
      true,
    ],
    ['no label', { content: 'x', components: rows(button({ label: undefined })) }, /needs a label/, true],
    [
      'a link without an address',
      { content: 'x', components: rows(button({ ...link, url: undefined })) },
      /needs a url/,
      true,
    ],
    [
      'a link with a custom_id',
      { content: 'x', components: rows(button({ ...link, custom_id: 'a' })) },
      /cannot both be specified/,
      true,
    ],
    [
      'six buttons',
      { content: 'x', components: rows(...(many(6, (index) => button({ custom_id: `${index}` })) as object[])) },
      /components\.0\.components/,
      true,
    ],
    [
      'six rows',
      { content: 'x', components: many(6, (index) => rows(button({ custom_id: `${index}` }))[0]) },
      /5 or fewer rows/,
      true,
    ],
    [
      '41 components',
      {
        flags: 1 << 15,
        components: many(4, () => ({ type: 17, components: many(10, () => ({ type: 10, content: 'x' })) })),
      },
      /40 or fewer components/,
      true,
    ],
    ['a nonce', { content: 'x', nonce: 'x'.repeat(26) }, /nonce/, true],
    [
      'mentions twice',
      { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } },
      /mutually exclusive/,
      true,
    ],
    ['mentions of a kind', { content: 'x', allowed_mentions: { parse: ['all'] } }, /allowed_mentions\.parse/, true],
  ])('%s', async (_breach, body, violation, isRefused) => {
    const call = rest.post(Routes.channelMessages(channelId), { body });
    if (isRefused) await expect(call).rejects.toMatchObject({ status: 400, code: 50035 });
    else await call;
    expect(emulator.violations[0]).toMatch(violation);
  });

  test('an edit is checked like a post', async () => {
    const { id } = (await rest.post(Routes.channelMessages(channelId), { body: { content: 'x' } })) as { id: string };
    const body = { content: 'x'.repeat(2001) };
    await expect(rest.patch(Routes.channelMessage(channelId, id), { body })).rejects.toMatchObject({
      code: 50035,
      rawError: { errors: { content: { _errors: [{ message: 'Must be 2000 or fewer in length.' }] } } },
    });
    expect(emulator.violations).toHaveLength(1);
  });

  test('a numeric snowflake, an invalid JSON body, and an unexpected body are found', async () => {
    await send('POST', '/users/@me/channels', `{"recipient_id": ${pilot}}`);
    expect(emulator.violations[0]).toMatch(/recipient_id: a snowflake as a number/);
    await send('POST', '/users/@me/channels', '{');
    expect(emulator.violations.at(-1)).toMatch(/not JSON/);
    expect(await send('POST', '/users/@me/channels', '{}', { 'content-type': 'text/plain' })).toBe(400);
    expect(emulator.violations.at(-1)).toMatch(/not application\/json/);
    await send('GET', '/users/@me', '{}');
    expect(emulator.violations.at(-1)).toMatch(/a body where none belongs/);
  });
});

describe('commands', () => {
  const path = () => Routes.applicationCommands(emulator.applicationId);
  const nest = (inner: object[]) => [{ type: 2, name: 'group', description: 'x', options: inner }];

  test.each<[breach: string, body: object[], violation: RegExp]>([
    ['a capital', [command({ name: 'Help' })], /0\.name: Command names are lower case/],
    ['a space', [command({ name: 'help me' })], /0\.name: String value did not match/],
    ['a long name', [command({ name: 'x'.repeat(33) })], /0\.name/],
    ['no description', [command({ description: '' })], /0\.description: This field is required/],
    ['a long description', [command({ description: 'x'.repeat(101) })], /0\.description/],
    ['the same name twice', [command(), command()], /1\.name: .* unique/],
    ['101 commands', many(101, (index) => command({ name: `c${index}` })) as object[], /100 or fewer commands/],
    ['26 options', [command({ options: many(26, (index) => text(`o${index}`)) })], /0\.options/],
    ['an option’s name', [command({ options: [text('Order!')] })], /0\.options\.0\.name/],
    ['an option twice', [command({ options: [text('a'), text('a')] })], /0\.options\.1\.name: .* unique/],
    [
      'required last',
      [command({ options: [text('a'), text('b', { required: true })] })],
      /Required options must be placed/,
    ],
    [
      '26 choices',
      [command({ options: [text('a', { choices: many(26, (index) => ({ name: `${index}`, value: `${index}` })) })] })],
      /choices/,
    ],
    [
      'a choice twice',
      [command({ options: [text('a', { choices: many(2, (index) => ({ name: 'x', value: `${index}` })) })] })],
      /Choice names must be unique/,
    ],
    [
      'choices and autocomplete',
      [command({ options: [text('a', { autocomplete: true, choices: [{ name: 'x', value: 'x' }] })] })],
      /Autocomplete excludes choices/,
    ],
    ['mixed kinds', [command({ options: [text('a'), { type: 1, name: 'b', description: 'x' }] })], /cannot be mixed/],
    ['too deep', [command({ options: nest(nest([])) })], /options/],
    [
      'too much text',
      [
        command({
          options: many(25, (index) =>
            text(`o${index}`, { choices: many(25, (choice) => ({ name: `${choice}-${'x'.repeat(9)}`, value: 'x' })) }),
          ),
        }),
      ],
      /exceeds maximum size/,
    ],
  ])('%s', async (_breach, body, violation) => {
    await expect(rest.put(path(), { body })).rejects.toMatchObject({ code: 50035 });
    expect(emulator.violations.some((one) => violation.test(one))).toBe(true);
  });

  test('names in other scripts are valid', async () => {
    await rest.put(path(), {
      body: [command({ name: 'помощь' }), command({ name: 'मदद' }), command({ name: 'help-me_2' })],
    });
    expect(emulator.violations).toEqual([]);
  });
});

describe('the rest of the wire', () => {
  test.each<[breach: string, headers: Record<string, string>, status: number, violation: RegExp]>([
    ['no Authorization', { authorization: '' }, 401, /without Authorization/],
    ['no User-Agent of a bot', { 'user-agent': 'curl/8' }, 200, /User-Agent/],
  ])('%s', async (_breach, headers, status, violation) => {
    expect(await send('GET', '/users/@me', undefined, headers)).toBe(status);
    expect(emulator.violations).toEqual([expect.stringMatching(violation)]);
  });

  test('unknown calls, invalid ids, and a scheduled event without a place are found', async () => {
    expect(await send('GET', '/guilds/1/nonsense')).toBe(404);
    expect(emulator.violations.at(-1)).toMatch(/no such call/);
    expect(await send('GET', '/channels/undefined/messages')).toBe(400);
    expect(emulator.violations.at(-1)).toMatch(/channel_id: "undefined" is no snowflake/);
    expect(await send('GET', `/channels/${channelId}/messages?after=now`)).toBe(400);
    expect(emulator.violations.at(-1)).toMatch(/after: "now" is no snowflake/);
    expect(await send('GET', '/users/@me', undefined, {}, '')).toBe(200);
    expect(emulator.violations.at(-1)).toMatch(/without the version/);
    const body = {
      name: ' ',
      privacy_level: 2,
      entity_type: 3,
      entity_metadata: { location: '' },
      scheduled_start_time: 'soon',
    };
    await expect(rest.post(Routes.guildScheduledEvents(guildId), { body })).rejects.toMatchObject({ code: 50035 });
    for (const field of ['name', 'location', 'scheduled_start_time']) {
      expect(emulator.violations.some((one) => one.includes(field))).toBe(true);
    }
  });
});

test('answers to interactions are checked like posts', async () => {
  const client = await connectClient(emulator);
  const answers = [
    { type: 4, data: { content: 'x'.repeat(2001) } },
    { type: 4, data: { content: 'x', colour: 1 } },
    { type: 4, data: { content: 'x'.repeat(2001) } },
    { type: 12, data: {} },
  ];
  onInteraction(client, async ({ id, token }) => {
    for (const body of answers)
      await rest.post(Routes.interactionCallback(id, token), { body, auth: false }).catch(() => null);
    await rest
      .patch(Routes.webhookMessage(emulator.applicationId, token), {
        body: { embeds: [{ title: 'x'.repeat(257) }] },
        auth: false,
      })
      .catch(() => null);
    await rest.patch(Routes.webhookMessage(emulator.applicationId, token), {
      body: { content: 'edited' },
      auth: false,
    });
  });
  await client.application.commands.set([
    { name: 'ask', description: 'x', options: [{ type: 3, name: 'a', description: 'x', autocomplete: true }] },
  ]);
  const outcome = await emulator.command(pilot, guildId, 'ask');
  await expect
    .poll(() => emulator.messages(channelId).find(({ id }) => id === outcome.reply?.id)?.content)
    .toBe('edited');
  const callback = 'POST /interactions/{interaction_id}/{interaction_token}/callback';
  expect(emulator.violations).toEqual([
    `${callback}: data.content: Too big: expected string to have <=2000 characters`,
    `${callback}: data.content: Must be 2000 or fewer in length.`,
    `${callback}: data.colour: is no property that Discord knows`,
    expect.stringContaining(`${callback}: type`),
    expect.stringMatching(/^PATCH .*@original: embeds\.0\.title/),
  ]);
  await client.destroy();
});

test('a legal conversation has no violation', async () => {
  const client = await connectClient(emulator);
  onInteraction(client, async (interaction) => {
    if (interaction.isAutocomplete()) return interaction.respond([{ name: 'One', value: 'one' }]);
    if (!interaction.isRepliable()) return undefined;
    if (interaction.isChatInputCommand()) await interaction.deferReply({ flags: 64 });
    else await interaction.reply({ content: 'now', withResponse: true });
    await interaction.followUp({ content: 'later', flags: 64, allowedMentions: { parse: [] } });
    return interaction.editReply({ embeds: [{ title: 'Edited', fields: [{ name: 'a', value: 'b' }] }] });
  });
  await client.application.commands.set([
    command({ options: [text('a', { autocomplete: true })], defaultMemberPermissions: 0x20n }),
    command({ name: 'other', contexts: [0, 1] }),
  ]);
  await client.application.fetch();
  await client.application.commands.fetch();
  await client.guilds.fetch(guildId);
  await client.users.fetch(pilot, { force: true });
  emulator.updateMember(guildId, pilot, { roles: [emulator.addRole(guildId, { name: 'Staff', permissions: 0x20n })] });
  await emulator.command(pilot, guildId, 'help', { a: 'x' });
  await emulator.command(pilot, null, 'other');
  await emulator.autocomplete(pilot, guildId, 'help', 'a', 'o');
  const channel = await client.channels.fetch(channelId, { force: true });
  if (!channel?.isSendable()) throw new Error('The channel takes no messages');
  const { id } = await channel.send({
    content: 'x',
    components: rows(button(), button(link)),
    nonce: '1',
    enforceNonce: true,
  });
  await emulator.press(pilot, id, 'Go');
  await channel.messages.fetch({ limit: 100, after: id });
  await (await client.users.createDM(pilot)).send({ embeds: [{ title: 'x', timestamp: new Date().toISOString() }] });
  await client.destroy();
  expect(emulator.violations).toEqual([]);
});

/** A request as no library would send it. @returns the status */
function send(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
  version = '/v10',
): Promise<number> {
  const usual = {
    authorization: `Bot ${emulator.token}`,
    'user-agent': 'DiscordBot (https://example.org, 1)',
    'content-type': 'application/json',
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  };
  const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== '');
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${emulator.apiUrl}${version}${path}`,
      { method, headers: Object.fromEntries(all) },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
