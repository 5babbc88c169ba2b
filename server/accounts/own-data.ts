/** Everything that Marshal stores about one account, as its owner downloads it. Without hashes and secrets. */
import { Proficiency } from '#server/schema/aircraft.ts';
import { AvailabilityOverride, AvailabilityTemplate, Leave } from '#server/schema/availability.ts';
import { CalendarFeed, PushSubscription } from '#server/schema/delivery.ts';
import { FragOrder } from '#server/schema/frag-order.ts';
import { DiscordAccount, GuildMember } from '#server/schema/guild.ts';
import { WillingPilot } from '#server/schema/matching.ts';
import { MailMessage } from '#server/schema/mail.ts';
import { Mission } from '#server/schema/mission.ts';
import { MissionSeries, MissionTemplate } from '#server/schema/series.ts';
import { MissionFile } from '#server/schema/mission-file.ts';
import { AuditEntry } from '#server/schema/operations.ts';
import type { Em } from '#server/schema/orm.ts';
import { Authenticator, Passkey, RecoveryCode, RememberedDevice } from '#server/schema/second-factor.ts';
import { LastSeen, PersonalAccessToken, PilotStatus, Session, User } from '#server/schema/user.ts';
import { shownEmail } from './email.ts';

const ofUser = (userId: string) => ({ user: userId });

async function readAccount(em: Em, id: string) {
  const user = await em.findOneOrFail(User, { id });
  const seen = await em.findOne(LastSeen, ofUser(id));
  const { displayName, timeZone, roles, createdAt, wantsGlobalEvents, notifyOrders, notifyChanges, deletionDueAt } =
    user;
  const { emailVerifiedAt, emailOrders, emailChanges, emailRequests, emailDigest } = user;
  const { reminderMinutes, remindByDiscord, remindByPush, remindByEmail } = user;
  const mails = await em.find(MailMessage, ofUser(id), { orderBy: { createdAt: 'asc' } });
  return {
    id,
    email: shownEmail(user.email) || null,
    callSign: displayName ?? null,
    timeZone,
    roles,
    createdAt,
    lastSeenAt: seen?.seenAt ?? null,
    hasPassword: (user.passwordHash ?? null) !== null,
    emailVerifiedAt: emailVerifiedAt ?? null,
    notifications: {
      wantsGlobalEvents,
      notifyOrders,
      notifyChanges,
      emailOrders,
      emailChanges,
      emailRequests,
      emailDigest,
      reminderMinutes,
      remindByDiscord,
      remindByPush,
      remindByEmail,
    },
    emails: mails.map(({ kind, state, createdAt: queuedAt, sentAt }) => ({
      kind,
      state,
      queuedAt,
      sentAt: sentAt ?? null,
    })),
    deletionDueAt: deletionDueAt ?? null,
  };
}

async function readAccess(em: Em, id: string) {
  const sessions = await em.find(Session, ofUser(id), { orderBy: { createdAt: 'asc' } });
  const tokens = await em.find(PersonalAccessToken, ofUser(id), { orderBy: { createdAt: 'asc' } });
  const devices = await em.find(PushSubscription, ofUser(id), { orderBy: { createdAt: 'asc' } });
  const feed = await em.findOne(CalendarFeed, ofUser(id));
  return {
    sessions: sessions.map(({ userAgent, createdAt, expiresAt }) => ({ browser: userAgent, createdAt, expiresAt })),
    accessTokens: tokens.map(({ name, scopes, createdAt, expiresAt, lastUsedAt }) => ({
      name,
      scopes,
      createdAt,
      expiresAt,
      lastUsedAt: lastUsedAt ?? null,
    })),
    notifiedDevices: devices.map(({ endpoint, userAgent, createdAt }) => ({ endpoint, browser: userAgent, createdAt })),
    calendarLinkSince: feed?.createdAt ?? null,
  };
}

async function readSecondFactor(em: Em, id: string) {
  const app = await em.findOne(Authenticator, ofUser(id));
  const passkeys = await em.find(Passkey, ofUser(id), { orderBy: { createdAt: 'asc' } });
  const devices = await em.find(RememberedDevice, ofUser(id), { orderBy: { createdAt: 'asc' } });
  return {
    authenticatorAppSince: app?.confirmedAt ?? null,
    passkeys: passkeys.map(({ name, isBackedUp, createdAt, lastUsedAt }) => ({
      name,
      isBackedUp,
      createdAt,
      lastUsedAt: lastUsedAt ?? null,
    })),
    recoveryCodesLeft: await em.count(RecoveryCode, ofUser(id)),
    rememberedDevices: devices.map(({ userAgent, createdAt, expiresAt }) => ({
      browser: userAgent ?? null,
      createdAt,
      expiresAt,
    })),
  };
}

async function readFlying(em: Em, id: string) {
  const status = await em.findOne(PilotStatus, ofUser(id));
  const levels = await em.find(Proficiency, ofUser(id), { populate: ['aircraft'] });
  const templates = await em.find(AvailabilityTemplate, ofUser(id), { populate: ['slots.aircraft'] });
  const overrides = await em.find(AvailabilityOverride, ofUser(id), {
    populate: ['aircraft'],
    orderBy: { dateLocal: 'asc' },
  });
  const leave = await em.findOne(Leave, ofUser(id));
  return {
    leave: leave && { firstDate: leave.firstDate, lastDate: leave.lastDate, reason: leave.reason ?? null },
    status: status && { state: status.state, minutes: status.minutes, expiresAt: status.expiresAt },
    aircraft: levels.map(({ aircraft, level, setByAdmin }) => ({ aircraft: aircraft.name, level, setByAdmin })),
    weeks: templates.map(({ name, isActive, slots }) => ({
      name,
      isActive,
      times: slots.map(({ weekday, startLocal, endLocal, aircraft, notes }) => ({
        weekday,
        startLocal,
        endLocal,
        aircraft: aircraft?.name ?? 'any',
        notes: notes ?? null,
      })),
    })),
    dates: overrides.map(({ dateLocal, kind, startLocal, endLocal, aircraft, notes }) => ({
      dateLocal,
      kind,
      startLocal,
      endLocal,
      aircraft: aircraft?.name ?? 'any',
      notes: notes ?? null,
    })),
  };
}

async function readMissions(em: Em, id: string) {
  const orders = await em.find(
    FragOrder,
    { pilot: id },
    { populate: ['mission', 'flight.aircraft'], orderBy: { seq: 'asc' } },
  );
  const willing = await em.find(WillingPilot, { pilot: id }, { populate: ['mission'] });
  const planned = await em.find(Mission, { createdBy: id }, { orderBy: { startsAt: 'asc' } });
  const templates = await em.find(MissionTemplate, { createdBy: id }, { orderBy: { createdAt: 'asc' } });
  const series = await em.find(MissionSeries, { createdBy: id }, { orderBy: { createdAt: 'asc' } });
  const files = await em.find(MissionFile, { uploadedBy: id }, { orderBy: { createdAt: 'asc' } });
  const brief = ({ id: missionId, name, startsAt, endsAt }: Mission) => ({ id: missionId, name, startsAt, endsAt });
  return {
    orders: orders.map(({ mission, flight, pilot: _pilot, ...order }) => ({
      number: order.seq,
      mission: brief(mission),
      flight: flight.callsign,
      aircraft: flight.aircraft.name,
      seat: order.seatIndex + 1,
      status: order.status,
      statusReason: order.statusReason ?? null,
      answer: order.rsvp,
      reasons: order.reasons,
      changes: order.changes ?? null,
      issuedAt: order.issuedAt,
      expiresAt: order.expiresAt,
      readAt: order.readAt ?? null,
      answeredAt: order.answeredAt ?? null,
      confirmedAt: order.confirmedAt ?? null,
      gaveUpAt: order.gaveUpAt ?? null,
      wasLate: order.isLate,
      attendance: order.attendance ?? null,
    })),
    couldHaveFlown: willing.map(({ mission }) => brief(mission)),
    missionsCreated: planned.map(brief),
    templatesSaved: templates.map(({ name, createdAt }) => ({ name, createdAt })),
    seriesMade: series.map(({ content, firstDate, createdAt }) => ({ name: content.name, firstDate, createdAt })),
    missionFiles: files.map(({ name, version, createdAt }) => ({ name, version: version ?? null, createdAt })),
  };
}

async function readDiscord(em: Em, id: string) {
  const account = await em.findOne(DiscordAccount, ofUser(id));
  if (!account) return null;
  const { discordUserId, username, linkedAt, wantsOrders, locale } = account;
  const members = await em.find(GuildMember, { discordUserId }, { populate: ['guild'] });
  return {
    discordUserId,
    username,
    linkedAt,
    wantsOrders,
    locale: locale ?? null,
    servers: members.map(({ guild, isModerator, joinedAt, leftAt }) => ({
      name: guild.name,
      isModerator,
      joinedAt: joinedAt ?? null,
      leftAt: leftAt ?? null,
    })),
  };
}

/** The account's data, for JSON. */
export async function readOwnData(em: Em, id: string) {
  const entries = await em.find(
    AuditEntry,
    { $or: [{ actor: id }, { subjectType: 'user', subjectId: id }] },
    { orderBy: { occurredAt: 'asc' } },
  );
  return {
    account: await readAccount(em, id),
    access: await readAccess(em, id),
    secondFactor: await readSecondFactor(em, id),
    flying: await readFlying(em, id),
    missions: await readMissions(em, id),
    discord: await readDiscord(em, id),
    auditLog: entries.map(({ action, subjectType, subjectId, detail, occurredAt }) => ({
      action,
      subjectType,
      subjectId,
      detail,
      occurredAt,
    })),
  };
}
