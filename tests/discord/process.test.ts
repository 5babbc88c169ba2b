/** The bot as a separate process: failures of it, of the server, of Discord and of the database. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { createBotProcess, innerUrl, type BotProcess } from '#server/http/bot-process.ts';
import { query, sql } from '#server/schema/query.ts';
import { ADMIN, createMarshal, type Marshal } from '#tests/faults/process.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { createClient, type Client } from '#tests/harness/service.ts';
import { BOT_LEASE_SECONDS } from '#shared/limits.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator, Snowflake } from './emulator/types.ts';
import { eventually, givenDiscordGuild, readGuild, readLease, startDiscord, type DiscordWorld } from './given.ts';

const LONG = { timeout: 40_000, interval: 100 };
/** How long PostgreSQL is away: longer than the lease of the bot that acts. */
const AWAY_MS = inDrill(2, 1.2) * BOT_LEASE_SECONDS * 1_000;

/** Child processes by their command line; Linux only. */
function childrenOf(pid: number, what: string): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(what));
}
const isAlive = (pid: number) => readdirSync('/proc').includes(String(pid));

describe.runIf(process.platform === 'linux')('one server with its bot', () => {
  let emulator: Emulator;
  let marshal: Marshal;
  let admin: Client;
  let guildId: Snowflake;
  const [vesper, mara] = ['620000000000000001', '620000000000000002'];
  beforeAll(async () => {
    emulator = await startEmulator({ wideLimits: ['gateway'] });
    const guild = emulator.addGuild({
      name: 'Lantern Wing',
      channels: [{ name: 'general' }],
      members: [
        { id: vesper, username: 'vesper' },
        { id: mara, username: 'mara' },
      ],
    });
    guildId = guild.id;
    marshal = await createMarshal({
      DISCORD_TOKEN: emulator.token,
      DISCORD_API_URL: emulator.apiUrl,
      DISCORD_CLIENT_ID: emulator.applicationId,
      LOG_LEVEL: 'info',
    });
    await marshal.start();
    admin = createClient(marshal);
    expect((await admin.call('POST', '/auth/login', ADMIN)).status).toBe(200);
  }, 120_000);
  afterAll(async () => {
    await marshal.kill('both');
    marshal.remove();
    const violations = [...emulator.violations];
    await emulator.stop();
    expect(violations).toEqual([]);
  });

  const botPid = () => childrenOf(marshal.serverPid(), 'bot/main.ts')[0] ?? 0;
  const connected = (count: number) => vi.waitUntil(() => emulator.connections() === count, LONG);
  const guildNow = async () => (await admin.call('GET', `/discord/guilds/${guildId}`)).body;
  const memberNames = async () =>
    ((await guildNow()).members as { discordUsername: string }[]).map((one) => one.discordUsername);

  test('goes online by itself, answers, and logs to the server’s log without secrets', async () => {
    await connected(1);
    await vi.waitFor(
      async () => expect(await guildNow()).toMatchObject({ name: 'Lantern Wing', status: 'active' }),
      LONG,
    );
    expect((await admin.call('POST', `/discord/guilds/${guildId}/accept`)).status).toBe(200);
    await emulator.until('the commands are there', () => emulator.commands().length > 0);
    const { reply } = await emulator.command(vesper, guildId, 'register');
    // it has no button, because Discord takes no links to `localhost`
    expect(reply).toMatchObject({ ephemeralFor: vesper, components: [] });
    expect(reply?.content).toContain(`${marshal.url}/discord/registration?`);

    expect(marshal.output()).toMatch(/"part":"bot".*"msg":"bot instance active"/);
    expect(marshal.output()).not.toContain(emulator.token);
    // the bot's environment is its own: no way to the database in it
    expect(readFileSync(`/proc/${botPid()}/environ`, 'utf8')).not.toMatch(/DATABASE|ADMIN_PASSWORD|postgres/i);
  });

  test('keeps its connection while PostgreSQL hangs for longer than its lease, says so to users, and catches up afterwards', async () => {
    const main = marshal.databasePid();
    const stopped = [main, ...childrenOf(main, '')];
    const bot = botPid();
    const logins = () => emulator.requests.filter(({ path }) => path === '/gateway/bot').length;
    const before = logins();
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const began = performance.now();
    try {
      emulator.removeMember(guildId, mara);
      emulator.renameGuild(guildId, 'Lantern Wing II');
      const { reply } = await emulator.command(vesper, guildId, 'register');
      expect(reply?.content).toBe(englishTexts('bot.serverAway'));
      await vi.waitUntil(() => performance.now() - began >= AWAY_MS, { ...LONG, interval: 500 });
      expect([emulator.connections(), isAlive(bot)]).toEqual([1, true]);
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
    await marshal.ready();
    await vi.waitFor(async () => expect((await guildNow()).name).toBe('Lantern Wing II'), LONG);
    // the list is empty until the members of the server that was just accepted have been read
    await vi.waitFor(async () => expect(await memberNames()).toContain('vesper'), LONG);
    await vi.waitFor(async () => expect(await memberNames()).not.toContain('mara'), LONG);
    expect([emulator.connections(), botPid(), logins()]).toEqual([1, bot, before]);
  }, 120_000);

  test('is started again when it dies', async () => {
    const bot = botPid();
    process.kill(bot, 'SIGKILL');
    await connected(0);
    emulator.renameGuild(guildId, 'Lantern Wing III');
    await connected(1);
    expect(botPid()).not.toBe(bot);
    await vi.waitFor(async () => expect((await guildNow()).name).toBe('Lantern Wing III'), LONG);
  });

  test('dies with its server, and restarts with it', async () => {
    const bot = botPid();
    await marshal.kill('server');
    await vi.waitUntil(() => !isAlive(bot), LONG);
    await connected(0);
    emulator.renameGuild(guildId, 'Lantern Wing IV');
    await marshal.start();
    await vi.waitFor(async () => expect((await guildNow()).name).toBe('Lantern Wing IV'), LONG);
  }, 90_000);

  test('stops with its server, in order and in time, and releases its lease', async () => {
    await connected(1);
    const bot = botPid();
    const began = performance.now();
    expect(await marshal.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(15_000);
    expect([isAlive(bot), emulator.connections()]).toEqual([false, 0]);
    expect(marshal.output()).not.toMatch(/"level":(50|60)/);
  });
});

describe('two servers with a bot each', () => {
  let world: DiscordWorld;
  const bots: BotProcess[] = [];
  beforeAll(async () => {
    world = await startDiscord({ withBot: false });
  });
  afterAll(async () => {
    for (const bot of bots) await bot.stop();
    await world.stop();
  });

  function begin(): BotProcess {
    const bot = createBotProcess(world.service.app);
    bot.start({ address: '127.0.0.1', port: Number(new URL(world.service.url).port), family: 'IPv4' });
    bots.push(bot);
    return bot;
  }
  const em = () => world.service.app.orm.em.fork();

  test('one acts, and the other takes over when the first is stopped', async () => {
    const first = begin();
    await world.emulator.until('the first is connected', () => world.emulator.connections() === 1);
    const { id } = await givenDiscordGuild(world);
    const holder = (await readLease(world))?.holder;
    begin();
    await first.stop();
    await vi.waitFor(async () => {
      const lease = await readLease(world);
      expect(lease).toMatchObject({ isLive: true, isConnected: true });
      expect(lease?.holder).not.toBe(holder);
    }, LONG);
    expect(world.emulator.connections()).toBe(1);
    world.emulator.renameGuild(id, 'Second Watch');
    await eventually(async () => expect(await readGuild(world, id)).toMatchObject({ name: 'Second Watch' }));
  }, 60_000);

  test.runIf(process.platform === 'linux')("a bot that dies is replaced by its own server's next one", async () => {
    const before = await readLease(world);
    // as it is: it comes back under its server's name and takes up its lease, without fifteen seconds of nobody
    const [pid] = childrenOf(process.pid, 'bot/main.ts');
    process.kill(pid ?? 0, 'SIGKILL');
    await world.emulator.until('it is gone', () => world.emulator.connections() === 0);
    await world.emulator.until('it is back', () => world.emulator.connections() === 1);
    expect((await readLease(world))?.holder).toBe(before?.holder);
    expect(await query(em(), sql`select 1 as one from bot_lease where expires_at > now()`)).toHaveLength(1);
  });
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['192.0.2.7', 'http://192.0.2.7:3000'],
  ['::', 'http://[::1]:3000'],
  ['::1', 'http://[::1]:3000'],
  ['fd00::7', 'http://[fd00::7]:3000'],
])('a server on %s is called by its bot at %s', (address, url) => expect(innerUrl({ address, port: 3000 })).toBe(url));
