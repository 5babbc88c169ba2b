/** Members of guilds as the bot sees them, stored. Who leaves is marked and keeps the account. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { isWholeList } from '#server/discord/rules/member-list.ts';
import { publishLive } from '#server/signals/live-signals.ts';
import { recordGuildEvent, recordGuildRun } from './guild-events.ts';
import type { BotMember, saveMembersInput, syncMembersInput } from '#shared/schemas/bot.ts';
import { lockGuild } from './guild-sync.ts';
import { requireActing } from '#server/discord/bot/lease.ts';
import { enqueueMemberSyncs } from '#server/signals/discord-jobs.ts';

type StoredMember = { id: string; name: string; isModerator: boolean; hasLeft: boolean };

async function loadStored(tx: Em, guildId: string, ids: readonly string[] | null): Promise<Map<string, StoredMember>> {
  const rows = await query<StoredMember>(
    tx,
    sql`select discord_user_id as id, discord_username as name, is_moderator as "isModerator",
               left_at is not null as "hasLeft"
        from guild_member
        where guild_id = ${guildId} and (${ids === null}::bool or discord_user_id = any(${ids ?? []}::text[]))`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** A statement has three seconds: a guild of the largest takes several. */
const SLICE = 10_000;

/** @returns whether anything was new */
async function writeMembers(tx: Em, guildId: string, members: readonly BotMember[], now: Date): Promise<boolean> {
  let written = 0;
  for (let at = 0; at < members.length; at += SLICE) {
    written += await writeSlice(tx, guildId, members.slice(at, at + SLICE), now);
  }
  return written > 0;
}

async function writeSlice(tx: Em, guildId: string, members: readonly BotMember[], now: Date): Promise<number> {
  const list = JSON.stringify(members);
  const [row] = await query<{ written: number }>(
    tx,
    sql`with w as (
        insert into guild_member as m (guild_id, discord_user_id, discord_username, is_bot, is_moderator, joined_at, updated_at)
        select ${guildId}::text, n."discordUserId", n."discordUsername", n."isBot", n."isModerator", n."joinedAt", ${now}::timestamptz
        from jsonb_to_recordset(${list}::jsonb)
          as n ("discordUserId" text, "discordUsername" text, "isBot" bool, "isModerator" bool, "joinedAt" timestamptz)
        on conflict (guild_id, discord_user_id) do update set
          discord_username = excluded.discord_username, is_bot = excluded.is_bot, is_moderator = excluded.is_moderator,
          joined_at = coalesce(excluded.joined_at, m.joined_at), left_at = null, updated_at = excluded.updated_at
        where m.left_at is not null
          or (m.discord_username, m.is_bot, m.is_moderator, m.joined_at) is distinct from
             (excluded.discord_username, excluded.is_bot, excluded.is_moderator, coalesce(excluded.joined_at, m.joined_at))
        returning 1) select count(*)::int as written from w`,
  );
  await query(
    tx,
    sql`update discord_account as a set username = n."discordUsername"
        from jsonb_to_recordset(${list}::jsonb) as n ("discordUserId" text, "discordUsername" text)
        where a.discord_user_id = n."discordUserId" and a.username <> n."discordUsername"`,
  );
  return row?.written ?? 0;
}

async function markLeft(tx: Em, guildId: string, ids: readonly string[], now: Date): Promise<void> {
  await query(
    tx,
    sql`update guild_member set left_at = ${now}, is_moderator = false, updated_at = ${now}
        where guild_id = ${guildId} and left_at is null
          and discord_user_id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`,
  );
}

const isPresent = (member: StoredMember | undefined): member is StoredMember => member?.hasLeft === false;

/** Store members, and record who is new, who is gone, and who began or ceased to moderate. */
async function apply(
  tx: Em,
  guildId: string,
  { stored, seen, left }: { stored: Map<string, StoredMember>; seen: readonly BotMember[]; left: StoredMember[] },
  now: Date,
): Promise<void> {
  const isNew = await writeMembers(tx, guildId, seen, now);
  await markLeft(
    tx,
    guildId,
    left.map(({ id }) => id),
    now,
  );
  const joined = seen.filter(({ discordUserId }) => !isPresent(stored.get(discordUserId)));
  if (joined.length > 0) {
    await enqueueMemberSyncs(
      tx,
      guildId,
      joined.map(({ discordUserId }) => discordUserId),
    );
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
  if (isNew || left.length > 0) await publishLive(tx, 'guilds');
}

/**
 * All members of a guild, as fetched. A list that is much shorter than what is known is refused: half an answer must not look
 * like half of them leaving. Told once more, with Discord's own count behind it, it is believed.
 * @returns whether it was taken; 409 when another process acts
 */
export async function syncMembers(
  em: Em,
  { instanceId, guildId, members }: z.infer<typeof syncMembersInput>,
  now: Date,
): Promise<boolean> {
  return transact(em, async (tx) => {
    await requireActing(tx, instanceId);
    if (!(await lockGuild(tx, guildId))) return true;
    const stored = await loadStored(tx, guildId, null);
    const known = [...stored.values()].filter(isPresent);
    const [counted] = await query<{ memberCount: number | null; toldBefore: boolean }>(
      tx,
      sql`select member_count as "memberCount", exists(
            select 1 from guild_event e where e.guild_id = g.id and e.event_type = 'members_sync_failed'
              and e.event_data = ${shortList(members.length, known.length)} and e.occurred_at > ${now}::timestamptz - interval '1 day'
          ) as "toldBefore"
          from guild g where g.id = ${guildId}`,
    );
    const isConfirmed = counted?.toldBefore === true && counted.memberCount === members.length;
    if (!isWholeList(members.length, known.length) && !isConfirmed) {
      await recordGuildEvent(
        tx,
        guildId,
        'members_sync_failed',
        shortList(members.length, known.length),
        'Discord sent far fewer members than are known, so nothing was changed.',
        now,
      );
      return false;
    }
    const seenIds = new Set(members.map(({ discordUserId }) => discordUserId));
    const isFirst = known.length === 0;
    const left = known.filter(({ id }) => !seenIds.has(id));
    if (isFirst) {
      await writeMembers(tx, guildId, members, now);
      await enqueueMemberSyncs(tx, guildId, null);
      await publishLive(tx, 'guilds');
    } else {
      await apply(tx, guildId, { stored, seen: members, left }, now);
    }
    await recordGuildEvent(tx, guildId, 'members_synced', `${members.length} members`, null, now);
    return true;
  });
}

const shortList = (seen: number, known: number) => `${seen} of ${known} members`;

/** Some members that changed, joined or left. 409 when another process acts. */
export async function saveMembers(
  em: Em,
  { instanceId, guildId, changed, leftIds, memberCount }: z.infer<typeof saveMembersInput>,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    await requireActing(tx, instanceId);
    if (!(await lockGuild(tx, guildId))) return;
    const stored = await loadStored(tx, guildId, [...changed.map(({ discordUserId }) => discordUserId), ...leftIds]);
    const left = leftIds.map((id) => stored.get(id)).filter(isPresent);
    await apply(tx, guildId, { stored, seen: changed, left }, now);
    await query(
      tx,
      sql`update guild set member_count = coalesce(${memberCount}::int, member_count), last_seen_at = ${now} where id = ${guildId}`,
    );
  });
}
