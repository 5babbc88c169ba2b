/** Sync of guild members from the bot to the database. Members who leave are marked and keep their account. */
import type { z } from 'zod';
import { countRows, db, isOneOf, tableOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { DAY_MS } from '#server/time/time.ts';
import { isWholeList } from '#server/discord/rules/guild-changes.ts';
import { emit } from '#server/signals/emit.ts';
import { recordGuildEvent, recordGuildRun } from './guild-events.ts';
import type { BotMember, saveMembersInput, syncMembersAnswer, syncMembersInput } from '#shared/schemas/bot.ts';
import { isAccepted } from './acceptance.ts';
import { lockGuild } from './guild-sync.ts';
import { requireActing } from '#server/discord/bot/lease.ts';

type StoredMember = { id: string; name: string; isModerator: boolean; hasLeft: boolean };

const selectStored = (tx: Em, guildId: string) =>
  db(tx)
    .selectFrom('guild_member')
    .select((eb) => [
      'discord_user_id as id',
      'discord_username as name',
      'is_moderator as isModerator',
      eb('left_at', 'is not', null).$castTo<boolean>().as('hasLeft'),
    ])
    .where('guild_id', '=', guildId);

const byId = (rows: readonly StoredMember[]) => new Map(rows.map((row) => [row.id, row]));

async function loadStored(tx: Em, guildId: string, ids: readonly string[]): Promise<Map<string, StoredMember>> {
  return byId(await selectStored(tx, guildId).where(isOneOf('discord_user_id', ids)).execute());
}

/** The stored members whose ids are above `after` and up to `through`. */
async function loadStoredBetween(
  tx: Em,
  guildId: string,
  { after, through }: { after: string | null; through: string | null },
): Promise<Map<string, StoredMember>> {
  const rows = await selectStored(tx, guildId)
    .$if(after !== null, (select) => select.where('discord_user_id', '>', after ?? ''))
    .$if(through !== null, (select) => select.where('discord_user_id', '<=', through ?? ''))
    .execute();
  return byId(rows);
}

/** @returns true if anything changed */
async function writeMembers(tx: Em, guildId: string, members: readonly BotMember[], now: Date): Promise<boolean> {
  const seen = tableOf('seen', members, {
    discordUserId: 'text',
    discordUsername: 'text',
    isBot: 'boolean',
    isModerator: 'boolean',
    joinedAt: 'timestamptz',
  });
  const { written } = await db(tx)
    .with('written', (write) =>
      write
        .insertInto('guild_member')
        .columns([
          'guild_id',
          'discord_user_id',
          'discord_username',
          'is_bot',
          'is_moderator',
          'joined_at',
          'updated_at',
        ])
        .expression(({ selectFrom, val, cast }) =>
          selectFrom(seen).select([
            cast<string>(val(guildId), 'text').as('guildId'),
            'seen.discordUserId',
            'seen.discordUsername',
            'seen.isBot',
            'seen.isModerator',
            'seen.joinedAt',
            cast<Date>(val(now), 'timestamptz').as('updatedAt'),
          ]),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['guild_id', 'discord_user_id'])
            .doUpdateSet(({ ref, fn }) => ({
              discord_username: ref('excluded.discord_username'),
              is_bot: ref('excluded.is_bot'),
              is_moderator: ref('excluded.is_moderator'),
              joined_at: fn.coalesce('excluded.joined_at', 'guild_member.joined_at'),
              left_at: null,
              updated_at: ref('excluded.updated_at'),
            }))
            .where(({ or, eb, ref, fn }) =>
              or([
                eb('guild_member.left_at', 'is not', null),
                eb('guild_member.discord_username', 'is distinct from', ref('excluded.discord_username')),
                eb('guild_member.is_bot', 'is distinct from', ref('excluded.is_bot')),
                eb('guild_member.is_moderator', 'is distinct from', ref('excluded.is_moderator')),
                eb(
                  'guild_member.joined_at',
                  'is distinct from',
                  fn.coalesce('excluded.joined_at', 'guild_member.joined_at'),
                ),
              ]),
            ),
        )
        .returning('discord_user_id'),
    )
    .selectFrom('written')
    .select(countRows().as('written'))
    .executeTakeFirstOrThrow();
  await db(tx)
    .updateTable('discord_account as a')
    .from(tableOf('seen', members, { discordUserId: 'text', discordUsername: 'text' }))
    .set(({ ref }) => ({ username: ref('seen.discordUsername') }))
    .whereRef('a.discord_user_id', '=', 'seen.discordUserId')
    .whereRef('a.username', '<>', 'seen.discordUsername')
    .execute();
  return written > 0;
}

async function markLeft(tx: Em, guildId: string, members: readonly StoredMember[], now: Date): Promise<void> {
  const left = tableOf('gone', members, { id: 'text' });
  await db(tx)
    .updateTable('guild_member')
    .set({ left_at: now, is_moderator: false, updated_at: now })
    .where('guild_id', '=', guildId)
    .where('left_at', 'is', null)
    .where('discord_user_id', 'in', ({ selectFrom }) => selectFrom(left).select('gone.id'))
    .execute();
}

const isPresent = (member: StoredMember | undefined): member is StoredMember => member?.hasLeft === false;

/** Store members, and record who joined, who left, and who became or stopped being a moderator. */
async function apply(
  tx: Em,
  guildId: string,
  { stored, seen, left }: { stored: Map<string, StoredMember>; seen: readonly BotMember[]; left: StoredMember[] },
  now: Date,
): Promise<void> {
  const isNew = await writeMembers(tx, guildId, seen, now);
  await markLeft(tx, guildId, left, now);
  const joined = seen.filter(({ discordUserId }) => !isPresent(stored.get(discordUserId)));
  if (joined.length > 0) {
    const discordUserIds = joined.map(({ discordUserId }) => discordUserId);
    emit(tx, { type: 'members.reachable', guildId, discordUserIds });
  }
  const record = (type: 'member_joined' | 'member_left' | 'moderator_changed', names: readonly string[]) =>
    recordGuildRun(tx, guildId, type, { names, noun: 'members' }, now);
  const namesOf = (test: (old: StoredMember | undefined, member: BotMember) => boolean) =>
    seen.filter((one) => test(stored.get(one.discordUserId), one)).map((one) => one.discordUsername);
  await record(
    'member_joined',
    joined.map((one) => one.discordUsername),
  );
  await record(
    'member_left',
    left.map(({ name }) => name),
  );
  await record(
    'moderator_changed',
    namesOf((old, member) => isPresent(old) && old.isModerator !== member.isModerator),
  );
  if (isNew || left.length > 0) emit(tx, { type: 'guild.changed' });
}

/**
 * Check a list of all members before its first part changes anything. One that is much shorter than the stored one is
 * refused, since an incomplete response must not look like half of the members leaving. It is accepted if it comes again and
 * Discord's own count confirms it.
 */
async function examineList(
  tx: Em,
  guildId: string,
  total: number,
  now: Date,
): Promise<z.infer<typeof syncMembersAnswer>> {
  const counted = await db(tx)
    .selectFrom('guild as g')
    .select(({ selectFrom }) => [
      'g.member_count as memberCount',
      selectFrom('guild_member as m')
        .select(countRows().as('known'))
        .whereRef('m.guild_id', '=', 'g.id')
        .where('m.left_at', 'is', null)
        .as('known'),
    ])
    .where('g.id', '=', guildId)
    .executeTakeFirstOrThrow();
  const known = counted.known ?? 0;
  if (isWholeList(total, known)) return { isTaken: true, isNewList: known === 0 };
  const told = await db(tx)
    .selectFrom('guild_event')
    .select('id')
    .where('guild_id', '=', guildId)
    .where('event_type', '=', 'members_sync_failed')
    .where('event_data', '=', shortList(total, known))
    .where('occurred_at', '>', new Date(now.getTime() - DAY_MS))
    .executeTakeFirst();
  if (told && counted.memberCount === total) return { isTaken: true, isNewList: false };
  const why = 'Discord sent far fewer members than are known, so nothing was changed.';
  await recordGuildEvent(tx, guildId, 'members_sync_failed', shortList(total, known), why, now);
  return { isTaken: false, isNewList: false };
}

/**
 * Sync a part of the list of all members of a guild, in a transaction of its own, so that the largest guilds keep nothing
 * else waiting. The first part decides if the list is believed; the last one closes it. 409 if another process is active.
 * @returns `isTaken: false` too for a guild that waits for an admin, whose members are not stored
 */
export async function syncMembers(
  em: Em,
  { instanceId, guildId, total, after, through, isNewList, members }: z.infer<typeof syncMembersInput>,
  now: Date,
): Promise<z.infer<typeof syncMembersAnswer>> {
  return transact(em, async (tx) => {
    await requireActing(tx, instanceId);
    if (!(await lockGuild(tx, guildId))) return { isTaken: true, isNewList: false };
    if (!(await isAccepted(tx, guildId))) return { isTaken: false, isNewList: false };
    const answer = after === null ? await examineList(tx, guildId, total, now) : { isTaken: true, isNewList };
    if (!answer.isTaken) return answer;
    if (answer.isNewList) await writeMembers(tx, guildId, members, now);
    else {
      const stored = await loadStoredBetween(tx, guildId, { after, through });
      const seenIds = new Set(members.map(({ discordUserId }) => discordUserId));
      const left = [...stored.values()].filter((member) => isPresent(member) && !seenIds.has(member.id));
      await apply(tx, guildId, { stored, seen: members, left }, now);
    }
    if (through !== null) return answer;
    if (answer.isNewList)
      emit(tx, { type: 'members.reachable', guildId, discordUserIds: null }, { type: 'guild.changed' });
    await recordGuildEvent(tx, guildId, 'members_synced', `${total} members`, null, now);
    return answer;
  });
}

const shortList = (seen: number, known: number) => `${seen} of ${known} members`;

/** Save some members who changed, joined or left. 409 if another process is active. */
export async function saveMembers(
  em: Em,
  { instanceId, guildId, changed, leftIds, memberCount }: z.infer<typeof saveMembersInput>,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    await requireActing(tx, instanceId);
    if (!(await lockGuild(tx, guildId)) || !(await isAccepted(tx, guildId))) return;
    const stored = await loadStored(tx, guildId, [...changed.map(({ discordUserId }) => discordUserId), ...leftIds]);
    const left = leftIds.map((id) => stored.get(id)).filter(isPresent);
    await apply(tx, guildId, { stored, seen: changed, left }, now);
    await db(tx)
      .updateTable('guild')
      .set({ last_seen_at: now, ...(memberCount !== null && { member_count: memberCount }) })
      .where('id', '=', guildId)
      .execute();
  });
}
