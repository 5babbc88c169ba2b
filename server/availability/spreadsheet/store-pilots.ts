/** Storing planned rows of a spreadsheet: a fixed number of statements, however many rows there are. */
import { newId } from '#server/schema/base.ts';
import { db, isOneOf, nextVersionIn, tableOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { emailKey, placeholderEmail } from '#server/accounts/email.ts';
import type { WeeklySlot } from '#server/availability/rules/dated-windows.ts';
import { copy } from '#shared/copy.ts';
import type { PilotColumn } from '#shared/pilot-sheet.ts';
import type { PilotWish } from './rules/pilot-cells.ts';
import type { PlannedRow, SheetAccount } from './rules/plan.ts';

/** A row to store, with the id of its account. */
export interface Storing {
  row: number;
  userId: string;
  account: SheetAccount | null;
  wish: PilotWish;
  /** columns that change */
  columns: ReadonlySet<PilotColumn>;
}

/** The rows that create or update a pilot; new pilots get their ids here. */
export function listStoring(rows: readonly PlannedRow[]): Storing[] {
  return rows.flatMap(({ row, state, account, wish, changes }) => {
    if (wish === null || (state !== 'create' && state !== 'update')) return [];
    return [{ row, userId: account?.id ?? newId(), account, wish, columns: new Set(changes.map((one) => one.column)) }];
  });
}

async function insertAccounts(tx: Em, rows: readonly Storing[], now: Date): Promise<void> {
  const created = rows.filter(({ account }) => account === null);
  if (created.length === 0) return;
  await db(tx)
    .insertInto('app_user')
    .values(
      created.map(({ userId, wish }) => {
        const email = wish.email ?? placeholderEmail(userId);
        return {
          id: userId,
          email,
          email_key: emailKey(email),
          display_name: wish.callSign,
          time_zone: wish.timeZone ?? 'UTC',
          roles: ['user' as const],
          wants_global_events: false,
          notify_orders: true,
          notify_changes: true,
          created_at: now,
          updated_at: now,
        };
      }),
    )
    .execute();
}

async function updateAccounts(tx: Em, rows: readonly Storing[], now: Date): Promise<void> {
  const updated = rows.flatMap(({ userId, account, wish, columns }) => {
    const isChanged = columns.has('callSign') || columns.has('timeZone') || columns.has('email');
    if (account === null || !isChanged) return [];
    const email = columns.has('email') ? wish.email : null;
    return [
      {
        userId,
        email,
        key: email === null ? null : emailKey(email),
        callSign: wish.callSign ?? account.callSign,
        timeZone: wish.timeZone ?? account.timeZone,
      },
    ];
  });
  if (updated.length === 0) return;
  await db(tx)
    .updateTable('app_user')
    .from(tableOf('sheet', updated, { userId: 'uuid', email: 'text', key: 'text', callSign: 'text', timeZone: 'text' }))
    .set(({ ref, fn }) => ({
      email: fn.coalesce(ref('sheet.email'), ref('app_user.email')),
      email_key: fn.coalesce(ref('sheet.key'), ref('app_user.email_key')),
      display_name: ref('sheet.callSign'),
      time_zone: ref('sheet.timeZone'),
      updated_at: now,
    }))
    .whereRef('app_user.id', '=', 'sheet.userId')
    .execute();
}

/** A level that an admin has set stays locked for its pilot; the others are the pilot's own to change. */
async function storeAircraft(tx: Em, rows: readonly Storing[], now: Date): Promise<void> {
  const levels = rows.flatMap(({ userId, account, wish, columns }) =>
    columns.has('aircraft')
      ? (wish.aircraft ?? []).flatMap(({ id, level }) => {
          const known = account?.levels.get(id);
          const wanted = level ?? known ?? ('basic' as const);
          return wanted === known ? [] : [{ user_id: userId, aircraft_id: id, level: wanted, updated_at: now }];
        })
      : [],
  );
  if (levels.length === 0) return;
  await db(tx)
    .insertInto('proficiency')
    .values(levels.map((level) => ({ ...level, set_by_admin: false })))
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'aircraft_id'])
        .doUpdateSet(({ ref }) => ({ level: ref('excluded.level'), updated_at: ref('excluded.updated_at') })),
    )
    .execute();
}

/** Active templates by pilot. */
async function findTemplates(tx: Em, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db(tx)
    .selectFrom('availability_template')
    .select(['id', 'user_id as userId'])
    .where(isOneOf('user_id', userIds))
    .where('is_active', '=', true)
    .execute();
  return new Map(rows.map(({ id, userId }) => [userId, id]));
}

const timeOf = ({ weekday, startLocal, endLocal, aircraftId }: WeeklySlot): string =>
  `${weekday} ${startLocal} ${endLocal} ${aircraftId ?? 0}`;

/** Replaces the slots of the active template, or of a new one. A slot that stays keeps its notes. */
async function storeWeeks(tx: Em, rows: readonly Storing[], now: Date): Promise<void> {
  const weeks = rows.filter(({ columns }) => columns.has('weeklyTimes'));
  if (weeks.length === 0) return;
  const known = await findTemplates(
    tx,
    weeks.flatMap(({ account }) => account?.id ?? []),
  );
  const planned = weeks.map((row) => ({ ...row, templateId: known.get(row.userId) ?? newId() }));
  const added = planned.filter(({ userId }) => !known.has(userId));
  if (added.length > 0) {
    await db(tx)
      .insertInto('availability_template')
      .values(
        added.map(({ userId, templateId }) => ({
          id: templateId,
          user_id: userId,
          name: copy.templateName,
          is_active: true,
          created_at: now,
          updated_at: now,
        })),
      )
      .execute();
  }
  if (known.size > 0) {
    const ids = [...known.values()];
    await db(tx).deleteFrom('availability_slot').where(isOneOf('template_id', ids)).execute();
    await db(tx)
      .updateTable('availability_template')
      // always later than before: it is the version that an open page has seen
      .set(({ ref }) => ({ updated_at: nextVersionIn(ref('updated_at'), now) }))
      .where(isOneOf('id', ids))
      .execute();
  }
  const slots = planned.flatMap(({ templateId, account, wish }) => {
    const notesOf = new Map((account?.week ?? []).map((slot) => [timeOf(slot), slot.notes]));
    return (wish.week ?? []).map((slot) => ({
      id: newId(),
      template_id: templateId,
      weekday: slot.weekday,
      start_local: slot.startLocal,
      end_local: slot.endLocal,
      aircraft_id: slot.aircraftId,
      notes: notesOf.get(timeOf(slot)) ?? null,
    }));
  });
  if (slots.length > 0) await db(tx).insertInto('availability_slot').values(slots).execute();
}

/** Links Discord accounts. The name is the one that a server with the bot knows, or else the id until Discord tells it. */
async function linkDiscord(tx: Em, rows: readonly Storing[], now: Date): Promise<void> {
  const links = rows.flatMap(({ userId, wish, columns }) =>
    columns.has('discordId') && wish.discordId !== null ? [{ userId, discordId: wish.discordId }] : [],
  );
  if (links.length === 0) return;
  const members = await db(tx)
    .selectFrom('guild_member')
    .select(['discord_user_id as id', 'discord_username as name'])
    .where(
      isOneOf(
        'discord_user_id',
        links.map(({ discordId }) => discordId),
      ),
    )
    .execute();
  const nameOf = new Map(members.map(({ id, name }) => [id, name]));
  await db(tx)
    .insertInto('discord_account')
    .values(
      links.map(({ userId, discordId }) => ({
        discord_user_id: discordId,
        user_id: userId,
        username: nameOf.get(discordId) ?? discordId,
        linked_at: now,
        wants_orders: true,
      })),
    )
    .execute();
}

/** Create and change the accounts of these rows, in the caller's transaction. */
export async function storePilots(tx: Em, rows: readonly Storing[], now: Date): Promise<void> {
  await insertAccounts(tx, rows, now);
  await updateAccounts(tx, rows, now);
  await storeAircraft(tx, rows, now);
  await storeWeeks(tx, rows, now);
  await linkDiscord(tx, rows, now);
}
