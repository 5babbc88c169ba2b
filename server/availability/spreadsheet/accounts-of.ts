/** The accounts that rows of a spreadsheet are about, with what the spreadsheet has of them. */
import { Aircraft } from '#server/schema/aircraft.ts';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { loadBanCheck, shareBans } from '#server/accounts/ban-check.ts';
import { emailKey, shownEmail } from '#server/accounts/email.ts';
import type { PilotCells } from '#shared/pilot-sheet.ts';
import { createAircraftNames, type AircraftNames } from './rules/aircraft-names.ts';
import type { SheetAccount, SheetWorld } from './rules/plan.ts';

/** The names of all aircraft. */
export async function loadAircraftNames(em: Em): Promise<AircraftNames> {
  return createAircraftNames(await em.find(Aircraft, {}));
}

/**
 * Accounts by id: three statements, however many there are.
 * @param ids undefined for all of them
 */
export async function loadSheetAccounts(em: Em, ids?: readonly string[]): Promise<SheetAccount[]> {
  if (ids?.length === 0) return [];
  const users = await db(em)
    .selectFrom('app_user as u')
    .leftJoin('discord_account as d', 'd.user_id', 'u.id')
    .select(({ eb }) => [
      'u.id',
      'u.email',
      'u.display_name as callSign',
      'u.time_zone as timeZone',
      'u.roles',
      eb('u.password_hash', 'is not', null).as('hasPassword'),
      eb('u.deletion_due_at', 'is not', null).as('isLeaving'),
      'd.discord_user_id as discordId',
    ])
    .$if(ids !== undefined, (select) => select.where(isOneOf('u.id', ids ?? [])))
    .execute();
  const levels = await db(em)
    .selectFrom('proficiency')
    .select(['user_id as userId', 'aircraft_id as aircraftId', 'level'])
    .$if(ids !== undefined, (select) => select.where(isOneOf('user_id', ids ?? [])))
    .execute();
  const slots = await db(em)
    .selectFrom('availability_slot as s')
    .innerJoin('availability_template as t', 't.id', 's.template_id')
    .select([
      't.user_id as userId',
      's.weekday',
      's.start_local as startLocal',
      's.end_local as endLocal',
      's.aircraft_id as aircraftId',
      's.notes',
    ])
    .where('t.is_active', '=', true)
    .$if(ids !== undefined, (select) => select.where(isOneOf('t.user_id', ids ?? [])))
    .execute();
  const levelsOf = Map.groupBy(levels, ({ userId }) => userId);
  const weekOf = Map.groupBy(slots, ({ userId }) => userId);
  return users.map(({ roles, email, hasPassword, isLeaving, ...user }) => ({
    ...user,
    hasPassword: Boolean(hasPassword),
    isLeaving: Boolean(isLeaving),
    email: shownEmail(email),
    isPilot: roles.includes('user'),
    levels: new Map((levelsOf.get(user.id) ?? []).map(({ aircraftId, level }) => [aircraftId, level])),
    week: weekOf.get(user.id) ?? [],
  }));
}

/** No text in the database has a NUL, and PostgreSQL refuses to compare with one. */
const canBeStored = (text: string): boolean => text !== '' && !text.includes('\0');

/** Emails and Discord ids of rows, as the database has them. */
function marksOf(rows: readonly PilotCells[]): { emailKeys: string[]; discordIds: string[] } {
  return {
    emailKeys: rows.flatMap(({ email }) => (canBeStored(email) ? [emailKey(email)] : [])),
    discordIds: rows.flatMap(({ discordId }) => (canBeStored(discordId) ? [discordId.replace(/^'/, '')] : [])),
  };
}

/** Accounts with one of these emails or Discord ids. */
const selectAccounts = (em: Em, rows: readonly PilotCells[]) => {
  const { emailKeys, discordIds } = marksOf(rows);
  return db(em)
    .selectFrom('app_user as u')
    .select('u.id')
    .where((eb) =>
      eb.or([
        isOneOf('u.email_key', emailKeys),
        eb(
          'u.id',
          'in',
          eb.selectFrom('discord_account as d').select('d.user_id').where(isOneOf('d.discord_user_id', discordIds)),
        ),
      ]),
    )
    .orderBy('u.id');
};

/**
 * The accounts, aircraft and links that rows of a spreadsheet are compared with.
 * @param isLocked lock the accounts in the caller's transaction, so that what is read stays until its end
 */
export async function loadSheetWorld(em: Em, rows: readonly PilotCells[], isLocked: boolean): Promise<SheetWorld> {
  // before the accounts are locked, in the order of a new ban
  if (isLocked) await shareBans(em);
  const isBanned = await loadBanCheck(em);
  const found = await selectAccounts(em, rows)
    .$if(isLocked, (select) => select.forNoKeyUpdate())
    .execute();
  const accounts = await loadSheetAccounts(
    em,
    found.map(({ id }) => id),
  );
  return {
    names: await loadAircraftNames(em),
    byEmail: new Map(accounts.flatMap((account) => (account.email === '' ? [] : [[emailKey(account.email), account]]))),
    byDiscordId: new Map(
      accounts.flatMap((account) => (account.discordId === null ? [] : [[account.discordId, account]])),
    ),
    isBanned: ({ email, discordId }) => isBanned({ email, discordUserId: discordId }),
    keyOf: emailKey,
  };
}
