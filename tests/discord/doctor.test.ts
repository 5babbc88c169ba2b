/** `npm run bot:doctor` against the emulated Discord: its findings, without secrets. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { afterEach, expect, test } from 'vitest';
import { startEmulator } from './emulator/start.ts';
import type { Emulator, GuildSpec } from './emulator/types.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PUBLIC_URL = 'https://marshal.example';
const CALLBACK = `${PUBLIC_URL}/api/v1/auth/discord/callback`;
const WING: GuildSpec = { name: 'Lantern Wing', channels: [{ name: 'general' }, { name: 'briefs', type: 5 }] };

let emulator: Emulator | null = null;

afterEach(async () => {
  const violations = [...(emulator?.violations ?? [])];
  await emulator?.stop();
  emulator = null;
  expect(violations).toEqual([]);
});

async function givenDiscord(
  guilds: readonly GuildSpec[] = [WING],
  redirectUris: readonly string[] = [CALLBACK],
): Promise<Emulator> {
  emulator = await startEmulator({ redirectUris });
  for (const guild of guilds) emulator.addGuild(guild);
  return emulator;
}

const settingsFor = ({ token, apiUrl, applicationId, clientSecret }: Emulator): Record<string, string> => ({
  DISCORD_TOKEN: token,
  DISCORD_API_URL: apiUrl,
  DISCORD_CLIENT_ID: applicationId,
  DISCORD_CLIENT_SECRET: clientSecret,
  PUBLIC_URL,
});

/** Runs the command. @returns its exit code and its lines by topic */
async function runDoctor(settings: Record<string, string>) {
  const doctor = spawn(process.execPath, [join(ROOT, 'server', 'cli', 'bot-doctor.ts')], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [doctor.stdout, doctor.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [code] = await once(doctor, 'close');
  for (const name of ['DISCORD_TOKEN', 'DISCORD_CLIENT_SECRET']) {
    const secret = settings[name];
    if (secret) expect(output).not.toContain(secret);
  }
  const lines = output.matchAll(/^(?<state>ok|hint|MISSING) +(?<about>[^:]+): (?<says>.+)$/gm);
  const found = new Map([...lines].map(({ groups }) => [groups?.about, `${groups?.state} ${groups?.says}`]));
  return {
    code,
    output,
    found,
    missing: [...found].flatMap(([name, says]) => (says.startsWith('MISSING') ? [name] : [])),
  };
}

test('all is well: every line says ok, the install link asks for the eight permissions, exit code 0', async () => {
  const discord = await givenDiscord();
  const { code, found, output } = await runDoctor(settingsFor(discord));

  expect(code, output).toBe(0);
  expect([...found.keys()]).toEqual([
    'Discord',
    'Token',
    'Client id',
    'Client secret',
    'Redirect',
    'Members intent',
    'Public bot',
    'Gateway',
    'Session starts',
    'PUBLIC_URL',
    'Install link',
    'Server Lantern Wing',
  ]);
  for (const [about, says] of found) expect(says, about).toMatch(/^ok /);
  const link = new URL(found.get('Install link')?.slice('ok '.length) ?? '');
  expect(Object.fromEntries(link.searchParams)).toEqual({
    client_id: discord.applicationId,
    permissions: '17918603643904',
    scope: 'bot applications.commands',
  });
  expect(found.get('Server Lantern Wing')).toBe('ok It can post in #general, #briefs.');
  // a look is no visit: it takes no session, and leaves nothing connected
  expect(discord.connections()).toBe(0);
  expect(discord.requests.every(({ method }) => method === 'GET')).toBe(true);
});

test('a bot that anybody may add to a server: a hint that says where to switch that off', async () => {
  emulator = await startEmulator({ redirectUris: [CALLBACK], isPublic: true });
  emulator.addGuild(WING);
  const { code, found } = await runDoctor(settingsFor(emulator));
  expect(code).toBe(0);
  expect(found.get('Public bot')).toMatch(
    /^hint Anybody can add this bot to a server\. .*"Public Bot" on the Bot page/,
  );
});

test('with nothing set it says that the token is missing and where to get one', async () => {
  const { code, found } = await runDoctor({ DISCORD_TOKEN: '', PUBLIC_URL });
  expect(code).toBe(1);
  expect(found.get('Token')).toMatch(/^MISSING DISCORD_TOKEN is not set\..*discord\.com\/developers/);
});

test('a token that Discord refuses', async () => {
  const discord = await givenDiscord();
  const { code, found, missing } = await runDoctor({ ...settingsFor(discord), DISCORD_TOKEN: 'not.the.token' });
  expect(code).toBe(1);
  expect(missing).toEqual(['Token']);
  expect(found.get('Token')).toContain('Discord refuses DISCORD_TOKEN');
});

test('another application, an intent that is off and a redirect that is not registered are each named', async () => {
  const discord = await givenDiscord([WING], ['https://elsewhere.example/callback']);
  discord.refuseMembersIntent(true);
  const { code, found, missing } = await runDoctor({
    ...settingsFor(discord),
    DISCORD_CLIENT_ID: '123456789012345678',
  });
  expect(code).toBe(1);
  expect(missing).toEqual(['Client id', 'Redirect', 'Members intent']);
  expect(found.get('Client id')).toContain(`Set DISCORD_CLIENT_ID=${discord.applicationId}.`);
  expect(found.get('Redirect')).toContain(CALLBACK);
  expect(found.get('Members intent')).toContain('Server Members Intent');
});

test('without a secret, and on this machine only: hints, exit code 0', async () => {
  const discord = await givenDiscord();
  const { code, found } = await runDoctor({
    ...settingsFor(discord),
    DISCORD_CLIENT_SECRET: '',
    PUBLIC_URL: 'http://127.0.0.1:3000',
  });
  expect(code).toBe(0);
  expect(found.get('Client secret')).toMatch(/^hint /);
  expect(found.has('Redirect')).toBe(false);
  expect(found.get('PUBLIC_URL')).toMatch(/^hint .*http:\/\/127\.0\.0\.1:3000/);
});

test.each(['http://localhost:3000', 'https://marshal', 'http://[::1]:3000'])(
  'an address to which Discord takes no links is missing: %s',
  async (address) => {
    const discord = await givenDiscord();
    const { code, found } = await runDoctor({
      ...settingsFor(discord),
      DISCORD_CLIENT_SECRET: '',
      PUBLIC_URL: address,
    });
    expect(code).toBe(1);
    expect(found.get('PUBLIC_URL')).toMatch(/^MISSING Discord refuses links to .* has no dot.* Set PUBLIC_URL/);
  },
);

test('servers: no channel to post in, missing permissions, a bot that is timed out', async () => {
  const discord = await givenDiscord([
    { name: 'Mute', botPermissions: Bits.ViewChannel, everyone: Bits.ViewChannel, channels: [{ name: 'hall' }] },
    {
      name: 'Plain',
      everyone: Bits.ViewChannel,
      botPermissions: Bits.ViewChannel | Bits.SendMessages | Bits.EmbedLinks | Bits.ReadMessageHistory,
      channels: [{ name: 'hall' }],
    },
    { name: 'Voices', channels: [{ name: 'Tower', type: 2 }] },
  ]);
  const waiting = discord.addGuild({ ...WING, name: 'Waiting Room' });
  discord.updateMember(waiting.id, discord.botUserId, { timeoutUntil: '2999-01-01T00:00:00.000Z' });
  const { code, found, missing } = await runDoctor(settingsFor(discord));
  expect(code).toBe(1);
  expect(new Set(missing)).toEqual(new Set(['Server Mute', 'Server Voices', 'Server Waiting Room']));
  expect(found.get('Server Mute')).toContain('In #hall the bot lacks Send Messages, Embed Links');
  expect(found.get('Server Plain')).toMatch(/^hint .*#hall.*lacks Create Events, Send Messages in Threads/);
  expect(found.get('Server Voices')).toContain('no text or announcement channel');
  expect(found.get('Server Waiting Room')).toContain('timed out');
});

test('overwrites decide by channel: everyone, then roles, then the bot itself', async () => {
  const pilots = '900000000000000001';
  const discord = await givenDiscord([]);
  const bot = { id: discord.botUserId, type: 1 as const };
  discord.addGuild({
    name: 'Overwrites',
    roles: [{ id: pilots, name: 'Pilots', permissions: 0n }],
    channels: [
      { name: 'denied', overwrites: [{ ...bot, deny: Bits.EmbedLinks }] },
      {
        name: 'regained',
        overwrites: [
          { ...bot, allow: Bits.SendMessages },
          { id: pilots, type: 0, deny: Bits.ViewChannel },
        ],
      },
    ],
  });
  const { found } = await runDoctor(settingsFor(discord));
  // a role that the bot does not have says nothing to it
  expect(found.get('Server Overwrites')).toMatch(/^ok It can post in #regained\.$/);
});

test('a bot in no server gets the install link', async () => {
  const discord = await givenDiscord([]);
  const { code, found } = await runDoctor(settingsFor(discord));
  expect(code).toBe(1);
  expect(found.get('Servers')).toMatch(/^MISSING .*Open the install link/);
});

test('an unreachable Discord is reported, and nothing else is claimed', async () => {
  const discord = await givenDiscord();
  const settings = settingsFor(discord);
  await discord.stop();
  const { code, found, missing } = await runDoctor(settings);
  expect(code).toBe(1);
  expect(missing).toEqual(['Discord']);
  expect(found.get('Discord')).toContain(`It does not answer at ${settings.DISCORD_API_URL}`);
  expect([...found.keys()]).toEqual(['Discord', 'PUBLIC_URL']);
  emulator = null;
});

test('one failed request affects no other line', async () => {
  const discord = await givenDiscord([WING, { ...WING, name: 'Other Wing' }]);
  discord.fail({ method: 'GET', path: /^\/guilds\/\d+\/roles$/, kind: 'status', status: 500, times: 1 });
  const { code, found, missing } = await runDoctor(settingsFor(discord));
  expect(code).toBe(1);
  expect(missing).toEqual(['Server Lantern Wing']);
  expect(found.get('Server Lantern Wing')).toContain('(500)');
  expect(found.get('Server Other Wing')).toMatch(/^ok /);
});
