/**
 * `npm run discord:sandbox`: an emulated Discord with the servers of the sample community, a page to use it, and the real
 * Marshal with its bot. Messages are only in memory, so the database also starts empty each time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { ROOT } from '#server/cli/programs.js';
import { startThrowaway } from '#server/platform/postgres/embedded-throwaway.ts';
import { createLog } from '#server/platform/log.ts';
import { planSampleGuilds } from '#server/cli/sample/sample-guilds.ts';
import { startEmulator } from '#tests/discord/emulator/start.ts';
import type { Emulator } from '#tests/discord/emulator/types.ts';
import { startSandboxPage } from './page.ts';
import { addSampleWorld, beginSampleOutages, type World } from './world.ts';

const SITE_PORT = 3010;
const PAGE_PORT = 3011;
const OAUTH_CALLBACK = '/api/v1/auth/discord/callback';
const POLL_MS = 200;
/** Marshal drains by itself; this is the limit for one that does not. */
const STOP_PATIENCE_MS = 20_000;
/** Of the caller's configuration nothing reaches the sandbox: it may name a real Discord and a real database. */
const NOT_PASSED_ON =
  /^(DISCORD_|DATABASE_|ADMIN_|PUBLIC_URL$|ALLOW_INSECURE_HTTP$|TRUST_PROXY$|HOST$|NODE_ENV$|BACKGROUND_JOBS$)/;

/** Undone in reverse order. */
const undo: (() => Promise<unknown>)[] = [];
let stopping: Promise<void> | null = null;

function stop(): Promise<void> {
  stopping ??= (async () => {
    for (const step of undo.toReversed()) await step().catch((error: unknown) => console.error(say(error)));
  })();
  return stopping;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void stop().then(() => process.exit(0)));
}

try {
  await run();
} catch (error) {
  if (!stopping) console.error(say(error));
  await stop();
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const sitePort = readPort('PORT', SITE_PORT);
  const siteUrl = `http://127.0.0.1:${sitePort}`;
  const emulator = await startEmulator({
    redirectUris: [`${siteUrl}${OAUTH_CALLBACK}`],
    // whoever tries it cuts the connection at will
    wideLimits: ['gateway'],
  });
  undo.push(() => emulator.stop());
  const world = addSampleWorld(emulator);
  const page = await startSandboxPage({ emulator, world, siteUrl, port: readPort('SANDBOX_PORT', PAGE_PORT) });
  undo.push(() => page.stop());

  console.error('• Starting a database for this sandbox');
  const database = await startThrowaway(createLog('error'));
  undo.push(() => database.stop());
  // the page's port is ours, and so is the folder that bears its number
  const dataDir = join(ROOT, '.data', 'sandbox', new URL(page.url).port);
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  undo.push(async () => rmSync(dataDir, { recursive: true, force: true }));

  const marshal = spawn(process.execPath, [join(ROOT, 'server', 'main.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    // a terminal's Ctrl-C is for this process alone, which then stops Marshal in its turn
    detached: process.platform !== 'win32',
    env: {
      LOG_LEVEL: 'warn',
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_PASSED_ON.test(name))),
      PORT: String(sitePort),
      PUBLIC_URL: siteUrl,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SAMPLE_COMMUNITY: 'on',
      DISCORD_TOKEN: emulator.token,
      DISCORD_API_URL: emulator.apiUrl,
      DISCORD_CLIENT_ID: emulator.applicationId,
      DISCORD_CLIENT_SECRET: emulator.clientSecret,
    },
  });
  undo.push(() => stopMarshal(marshal));
  marshal.once('exit', () => {
    if (stopping) return;
    console.error('Marshal has ended: its messages stand above.');
    void stop().then(() => process.exit(1));
  });
  // printed last, since nothing can be tried before the bot is online
  await until(() => isServing(siteUrl));
  await until(() => emulator.connections() > 0 && emulator.commands().length > 0);
  await makeModeratorsAdmins(database.url, world);
  await showMissions(emulator, world);
  beginSampleOutages(emulator, world);
  console.error(
    [
      `Discord sandbox: ${page.url}`,
      '',
      'There you are any member of the sample servers; sign in to Marshal as said above.',
      'Moderators with an account are admins of Marshal too, so that they can use /mission.',
      `The servers stand under ${siteUrl}/admin/discord/guilds. Both begin anew with every start.`,
      '',
    ].join('\n'),
  );
}

/** The sample's only admin is not in Discord, where nobody could use `/mission`. */
async function makeModeratorsAdmins(databaseUrl: string, world: World): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `update app_user set roles = roles || array['admin'] where not 'admin' = any(roles)
       and id in (select user_id from discord_account where discord_user_id = any($1))`,
      [world.guilds.flatMap(({ moderatorIds }) => moderatorIds)],
    );
  } finally {
    await client.end();
  }
}

/** Servers with a moderator choose a missions channel, so that the upcoming missions have their cards there. */
async function showMissions(emulator: Emulator, world: World): Promise<void> {
  for (const { id, status, channels } of planSampleGuilds()) {
    const channel = channels.find(({ isPostable, isNsfw }) => isPostable && !isNsfw);
    const moderator = world.guilds.find((guild) => guild.id === id)?.moderatorIds[0];
    if (status !== 'active' || !channel || moderator === undefined) continue;
    await emulator.command(moderator, id, 'setup missions', { channel: channel.id });
  }
}

async function stopMarshal(marshal: ChildProcess): Promise<void> {
  if (marshal.exitCode !== null || marshal.signalCode !== null) return;
  const ended = once(marshal, 'exit');
  // Windows cannot ask, but its console has told Marshal already
  if (process.platform !== 'win32') marshal.kill('SIGTERM');
  const timer = setTimeout(() => marshal.kill('SIGKILL'), STOP_PATIENCE_MS);
  await ended;
  clearTimeout(timer);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    if (stopping) throw new Error('stopped while starting');
    await wait(POLL_MS);
  }
}

function isServing(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function readPort(name: string, otherwise: number): number {
  const value = process.env[name] || String(otherwise);
  if (!/^\d{1,5}$/.test(value)) throw new Error(`${name} must be a port (it is "${value}").`);
  return Number(value);
}

function say(error: unknown): string {
  if (error instanceof Error && Reflect.get(error, 'code') === 'EADDRINUSE') {
    return `Port ${Reflect.get(error, 'port')} is in use. Choose another one: SANDBOX_PORT=3021 npm run discord:sandbox`;
  }
  return error instanceof Error ? error.message : String(error);
}
