/** The checks of `marshal doctor`: each has a finding and, if something is wrong, the remedy. They change nothing. */
import { existsSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import { examine } from '#bot/doctor.ts';
import { listBackups } from '#server/backup/backups.ts';
import { isScheduled } from '#server/backup/daily.ts';
import { timeOf } from '#server/backup/rules/names.ts';
import { describeFailingSteps } from '#server/jobs/steps.ts';
import { createMailer } from '#server/delivery/mail/transport.ts';
import { installLink } from '#server/discord/rules/install-link.ts';
import { isSecureOrigin, type Env } from '#server/platform/env.ts';
import { countRows, db, ms } from '#server/schema/database.ts';
import { type Em } from '#server/schema/orm.ts';
import { compareSchema } from '#server/schema/migrate.ts';
import { isSuperuser, SUPERUSER } from '#server/schema/role.ts';
import { DAY_MS } from '#server/time/time.ts';
import { isKnownTimeZone } from '#shared/schemas/common.ts';
import type { Role } from '#shared/vocabulary.ts';
import { hasEmbedded, withDatabase } from './with-database.ts';

export interface Finding {
  state: 'ok' | 'warning' | 'fault';
  about: string;
  /** the finding, and the remedy if it is not ok */
  says: string;
}

const TESTED_POSTGRES = 18;
const DISK_FAULT_BYTES = 300e6;
const DISK_WARNING_BYTES = 2e9;
const CLOCK_WARNING_MS = 2_000;
const CLOCK_FAULT_MS = 60_000;
const ANSWER_MS = 5_000;
/** Two nights, so that one failed backup that was made good is no warning. */
const BACKUP_LATE_MS = 2 * DAY_MS;

const ok = (about: string, says: string): Finding => ({ state: 'ok', about, says });
const warning = (about: string, says: string): Finding => ({ state: 'warning', about, says });
const fault = (about: string, says: string): Finding => ({ state: 'fault', about, says });

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The database: version, migrations, clock, admins, and the zones of its people. */
async function examineDatabase(orm: MikroORM): Promise<Finding[]> {
  const em = orm.em.fork();
  const before = Date.now();
  const server = await db(em)
    .selectNoFrom(({ fn, val, cast }) => [
      cast<number>(fn<string>('current_setting', [val('server_version_num')]), 'int4').as('version'),
      ms(fn<Date>('clock_timestamp')).as('nowMs'),
    ])
    .executeTakeFirstOrThrow();
  const delay = Date.now() - before;
  return [
    examineVersion(Math.floor(server.version / 10_000)),
    await examineRole(em),
    examineClock(Math.max(0, Math.abs(server.nowMs - before) - delay)),
    ...(await examineContents(orm)),
  ];
}

function examineVersion(major: number): Finding {
  return major >= TESTED_POSTGRES
    ? ok('Database', `PostgreSQL ${major} answers.`)
    : warning(
        'Database',
        `PostgreSQL ${major} answers. Marshal is tested with ${TESTED_POSTGRES}: update it when you can.`,
      );
}

async function examineRole(em: Em): Promise<Finding> {
  return (await isSuperuser(em)) ? warning('Role', SUPERUSER) : ok('Role', 'It is no superuser.');
}

function examineClock(driftMs: number): Finding {
  if (driftMs < CLOCK_WARNING_MS) return ok('Clock', 'This machine and the database agree on the time.');
  const says = `This machine and the database differ by ${Math.round(driftMs / 1000)} s: let both take their time from a time server (NTP).`;
  return driftMs < CLOCK_FAULT_MS ? warning('Clock', says) : fault('Clock', says);
}

async function examineContents(orm: MikroORM): Promise<Finding[]> {
  const { missing, unknown } = await compareSchema(orm);
  if (unknown.length > 0) {
    return [
      fault(
        'Migrations',
        `The database belongs to a newer release (it has ${unknown.join(', ')}): start that release, or restore a backup from before the update.`,
      ),
    ];
  }
  if (missing.length > 0) {
    return [
      warning(
        'Migrations',
        `${missing.length === 1 ? '1 is' : `${missing.length} are`} missing: the next start applies them, so make a backup first.`,
      ),
    ];
  }
  return [
    ok('Migrations', 'All are applied.'),
    await examineAdmins(orm),
    await examineZones(orm),
    await examineJobs(orm),
  ];
}

async function examineAdmins(orm: MikroORM): Promise<Finding> {
  const { admins } = await db(orm.em.fork())
    .selectFrom('app_user')
    .select(countRows().as('admins'))
    .where(({ eb, val, fn }) => eb(val<Role>('admin'), '=', fn.any('roles')))
    .executeTakeFirstOrThrow();
  return admins > 0
    ? ok('Admins', admins === 1 ? 'There is one.' : `There are ${admins}.`)
    : warning(
        'Admins',
        'There is none: make one with `npm run marshal -- grant-admin <email>`, or let the next start create one.',
      );
}

async function examineZones(orm: MikroORM): Promise<Finding> {
  const rows = await db(orm.em.fork()).selectFrom('app_user').select('time_zone as zone').distinct().execute();
  const strange = rows.map(({ zone }) => zone).filter((zone) => !isKnownTimeZone(zone));
  return strange.length === 0
    ? ok('Time zones', `Node's zone data ${process.versions.tz ?? ''} has the zones of all people.`)
    : fault(
        'Time zones',
        `Node's zone data lacks ${strange.join(', ')}: install a newer Node.js, or one with full ICU.`,
      );
}

/** Background work, as it went when it last ran. */
async function examineJobs(orm: MikroORM): Promise<Finding> {
  const failing = await describeFailingSteps(orm.em.fork());
  return failing.length === 0 ? ok('Jobs', 'None of the regular ones fails.') : fault('Jobs', failing.join(' '));
}

function examineDisk({ DATA_DIR }: Env): Finding {
  let folder = DATA_DIR;
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const says = `${(free / 1e9).toFixed(1)} GB are free on the disk of ${DATA_DIR}`;
  if (free < DISK_FAULT_BYTES) return fault('Disk', `${says}: free some space before the database stops.`);
  return free < DISK_WARNING_BYTES ? warning('Disk', `${says}: free some space soon.`) : ok('Disk', `${says}.`);
}

/** True if a Marshal answers at this address; false for no answer and for another program's. */
async function answersAsMarshal(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' });
    const body: unknown = await response.json();
    return response.ok && Reflect.get(Object(body), 'status') === 'ok';
  } catch {
    return false;
  }
}

/** @returns the system's error code when nobody can listen there */
function tryPort({ HOST, PORT }: Env): Promise<string | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown error'));
    server.listen(PORT, HOST, () => server.close(() => resolve(null)));
  });
}

async function examinePort(env: Env): Promise<Finding> {
  const where = `${env.HOST}:${env.PORT}`;
  const code = await tryPort(env);
  if (code === null) return ok('Port', `${where} is free: Marshal does not run here now.`);
  if (code === 'EADDRINUSE') {
    const host = env.HOST === '0.0.0.0' || env.HOST === '::' ? 'localhost' : env.HOST;
    return (await answersAsMarshal(`http://${host.includes(':') ? `[${host}]` : host}:${env.PORT}`))
      ? ok('Port', `A Marshal answers at ${where}.`)
      : fault('Port', `Another program uses ${where}: stop it, or set PORT to another number.`);
  }
  return fault('Port', `Nobody can listen at ${where} (${code}): correct HOST and PORT.`);
}

async function examinePublicUrl(env: Env): Promise<Finding> {
  const { PUBLIC_URL } = env;
  if (!isSecureOrigin(PUBLIC_URL)) {
    return warning('PUBLIC_URL', `${PUBLIC_URL} is plain http, where sign-in cookies can be read: put https in front.`);
  }
  if (await answersAsMarshal(PUBLIC_URL)) return ok('PUBLIC_URL', `A Marshal answers at ${PUBLIC_URL}.`);
  return warning(
    'PUBLIC_URL',
    `No Marshal answers at ${PUBLIC_URL}. That is right while it does not run; otherwise correct PUBLIC_URL, or the proxy in front.`,
  );
}

const OF_BOT = { ok: 'ok', hint: 'warning', missing: 'fault' } as const;

async function examineBot(env: Env): Promise<Finding[]> {
  if (env.DISCORD_TOKEN === undefined) return [ok('Bot', 'Off, because DISCORD_TOKEN is not set.')];
  const findings = await examine({
    token: env.DISCORD_TOKEN,
    clientId: env.DISCORD_CLIENT_ID,
    clientSecret: env.DISCORD_CLIENT_SECRET,
    apiUrl: env.DISCORD_API_URL,
    publicUrl: env.PUBLIC_URL,
    installLink,
  });
  return findings.map(({ state, about, says }) => ({ state: OF_BOT[state], about: `Bot, ${about}`, says }));
}

async function examineMail(env: Env): Promise<Finding> {
  const mailer = await createMailer(env);
  if (mailer === null) return ok('Email', 'Off, because SMTP_URL is not set.');
  const problem = await mailer.check();
  return problem === null
    ? ok('Email', 'The mail server can be reached and takes the password.')
    : fault('Email', `${problem} Correct SMTP_URL, or ask who runs the server.`);
}

/** Backups: there are some, and the newest is younger than two days. */
async function examineBackups(env: Env): Promise<Finding> {
  if (!isScheduled(env)) {
    return warning('Backups', 'Marshal makes none: set BACKUP_DIR or BACKUP_S3_* for one every day.');
  }
  try {
    const places = await listBackups(env);
    const late = places.find(({ names: [newest] }) => newest === undefined || isLate(timeOf(newest)));
    if (late === undefined) return ok('Backups', `The newest is ${places[0]?.names[0]}.`);
    const [newest = 'none'] = late.names;
    return warning(
      'Backups',
      `The newest in ${late.place} is ${newest}: make one with \`npm run backup\`, which says what is wrong.`,
    );
  } catch (error) {
    return fault('Backups', messageOf(error));
  }
}

const isLate = (at: Date): boolean => Date.now() - at.getTime() > BACKUP_LATE_MS;

async function examineStore(env: Env): Promise<Finding[]> {
  if (env.DATABASE_URL === undefined && !hasEmbedded(env)) {
    return [ok('Database', `There is none in ${env.DATA_DIR} yet: the first start creates it.`)];
  }
  try {
    return await withDatabase(env, { keepsSchema: true }, examineDatabase);
  } catch (error) {
    return [fault('Database', messageOf(error))];
  }
}

/** @param settings the checked settings, or the error that a start would end with */
export async function findAll(settings: Env | Error): Promise<Finding[]> {
  if (settings instanceof Error) return [fault('Settings', settings.message)];
  const [store, port, address, bot, mail, backups] = await Promise.all([
    examineStore(settings),
    examinePort(settings),
    examinePublicUrl(settings),
    examineBot(settings),
    examineMail(settings),
    examineBackups(settings),
  ]);
  return [ok('Settings', 'All can be read.'), ...store, examineDisk(settings), port, address, ...bot, mail, backups];
}
