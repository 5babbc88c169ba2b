/** Resolves a Discord user to the linked pilot: Discord vouches for the user, the link names the pilot. */
import { db } from '#server/schema/database.ts';
import { DiscordAccount } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild } from '#server/schema/predicates.ts';
import { notLinkedMessage } from '#server/discord/rules/reply-text.ts';
import { noteSeen } from '#server/accounts/last-seen.ts';
import {
  isAdmin,
  isWaiting,
  lacksSecondFactor,
  requirePilot,
  toViewer,
  VIEWER_COLUMNS,
  type Viewer,
} from '#server/platform/viewer.ts';
import { AppError } from '#server/platform/errors.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import type { Actor, DiscordMessage } from '#shared/schemas/bot.ts';

/** The account linked to a Discord user, suspended or not; null when there is none. */
export async function findLinkedPilot(em: Em, discordUserId: string): Promise<Viewer | null> {
  const row = await db(em)
    .selectFrom('discord_account as d')
    .innerJoin('app_user as u', 'u.id', 'd.user_id')
    .select(VIEWER_COLUMNS)
    .where('d.discord_user_id', '=', discordUserId)
    .executeTakeFirst();
  return row ? toViewer(row) : null;
}

/** Notes the language of a pilot's Discord client, in which direct messages are written. */
async function noteLocale(em: Em, { discordUserId, locale }: Actor): Promise<void> {
  const isOther = { $or: [{ locale: null }, { locale: { $ne: locale } }] };
  await em.nativeUpdate(DiscordAccount, { discordUserId, ...isOther }, { locale });
}

type Work = (viewer: Viewer) => Promise<DiscordMessage>;

/** @param guard throws 403 for accounts that may not use the command; read each time, so that a lost role counts at once */
async function asLinked(em: Em, actor: Actor, guard: (viewer: Viewer) => void, work: Work): Promise<DiscordMessage> {
  const viewer = await findLinkedPilot(em, actor.discordUserId);
  if (!viewer) return notLinkedMessage(actor.guildId !== null, textsFor(actor.locale));
  await noteSeen(em, viewer.id, new Date());
  await noteLocale(em, actor);
  guard(viewer);
  return work(viewer);
}

/**
 * Run a command for the linked pilot.
 * @returns instructions to register for people who are not linked; 403 for a suspended account
 */
export const asPilot = (em: Em, actor: Actor, work: Work): Promise<DiscordMessage> =>
  asLinked(em, actor, requirePilot, work);

/** As `asPilot`, for the pilot's own status and times: accounts that wait for approval may already enter them, as on the site. */
export const asNewcomer = (em: Em, actor: Actor, work: Work): Promise<DiscordMessage> =>
  asLinked(em, actor, requirePilotOrNewcomer, work);

/** Run a command for the linked admin. @returns instructions to register for people who are not linked; 403 for others */
export const asAdmin = (em: Em, actor: Actor, work: Work): Promise<DiscordMessage> =>
  asLinked(em, actor, requireAdmin, work);

function requirePilotOrNewcomer(viewer: Viewer): void {
  if (!isWaiting(viewer)) requirePilot(viewer);
}

function requireAdmin(viewer: Viewer): void {
  if (!isAdmin(viewer)) throw new AppError('ADMINS_ONLY');
}

/** 403 for the linked admin who has to set up a second factor first, as on the site. */
export async function requireFactor(em: Em, actor: Actor, isRequired: boolean): Promise<void> {
  const viewer = isRequired ? await findLinkedPilot(em, actor.discordUserId) : null;
  if (viewer && lacksSecondFactor(viewer, isRequired)) {
    throw new AppError('ADMIN_SECOND_FACTOR_REQUIRED');
  }
}

/** Accepted guilds that have the bot and this person as a known member, the oldest membership first. */
export async function findGuildsOf(em: Em, discordUserId: string): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('guild_member as m')
    .innerJoin('guild as g', 'g.id', 'm.guild_id')
    .select('g.id')
    .where('m.discord_user_id', '=', discordUserId)
    .where('m.left_at', 'is', null)
    .where('g.status', '<>', 'disabled')
    .where(isAcceptedGuild)
    .orderBy('m.joined_at', (order) => order.asc().nullsLast())
    .orderBy('g.id')
    .execute();
  return rows.map(({ id }) => id);
}
