/**
 * Everything that Marshal stores about one account, as its owner downloads it. Columns are in it by their declarations
 * (`server/schema/personal.ts`); here are the places of the tables, and what comes from other tables.
 */
import type { EntityClass } from '@mikro-orm/core';
import { Proficiency } from '#server/schema/aircraft.ts';
import {
  AvailabilityOverride,
  AvailabilitySlot,
  AvailabilityTemplate,
  BusyCalendar,
  Leave,
} from '#server/schema/availability.ts';
import { CalendarFeed, Delivery, PushSubscription } from '#server/schema/delivery.ts';
import { FragOrder } from '#server/schema/frag-order.ts';
import { DiscordAccount, GuildMember } from '#server/schema/guild.ts';
import { WillingPilot } from '#server/schema/matching.ts';
import { MissionComment } from '#server/schema/mission-comment.ts';
import { Mission } from '#server/schema/mission.ts';
import { MissionSeries, MissionTemplate } from '#server/schema/series.ts';
import { MissionFile } from '#server/schema/mission-file.ts';
import { AuditEntry } from '#server/schema/operations.ts';
import type { Em } from '#server/schema/orm.ts';
import { declaredColumns } from '#server/schema/personal.ts';
import { AttendanceProposal, GameIdentity, Presence } from '#server/schema/presence.ts';
import { Authenticator, Passkey, RecoveryCode, RememberedDevice } from '#server/schema/second-factor.ts';
import { LastSeen, PersonalAccessToken, PilotStatus, Session, User } from '#server/schema/user.ts';
import type { DeliveryChannel } from '#server/schema/delivery.ts';
import { shownEmail } from './email.ts';

const ofUser = (userId: string) => ({ user: userId });

type Part = Record<string, unknown>;

/** Set a value at a dotted path, in a part that this function has made. */
function put(part: Part, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) part[first] = value;
  else put((part[first] ??= {}) as Part, rest.join('.'), value);
}

/** The columns of a row that are in the download, under their names there. */
function exported<Entity extends object>(em: Em, entity: EntityClass<Entity>, row: Entity): Part {
  const meta = em.getMetadata().get(entity);
  const part: Part = {};
  for (const { table, property, personal } of declaredColumns(em)) {
    if (table === meta.tableName && personal.as !== undefined) {
      put(part, personal.as, Reflect.get(row, property) ?? null);
    }
  }
  return part;
}

async function readAccount(em: Em, id: string) {
  const user = await em.findOneOrFail(User, { id });
  const seen = await em.findOne(LastSeen, ofUser(id));
  const deliveries = await em.find(Delivery, ofUser(id), { orderBy: { createdAt: 'asc' } });
  const sentBy = (channel: DeliveryChannel) =>
    deliveries.filter((one) => one.channel === channel).map((one) => exported(em, Delivery, one));
  return {
    ...exported(em, User, user),
    email: shownEmail(user.email) || null,
    lastSeenAt: seen?.seenAt ?? null,
    hasPassword: (user.passwordHash ?? null) !== null,
    emails: sentBy('mail'),
    notifications: sentBy('push'),
  };
}

async function readAccess(em: Em, id: string) {
  const sessions = await em.find(Session, ofUser(id), { orderBy: { createdAt: 'asc' } });
  const tokens = await em.find(PersonalAccessToken, ofUser(id), { orderBy: { createdAt: 'asc' } });
  const devices = await em.find(PushSubscription, ofUser(id), { orderBy: { createdAt: 'asc' } });
  const feed = await em.findOne(CalendarFeed, ofUser(id));
  return {
    sessions: sessions.map((session) => exported(em, Session, session)),
    accessTokens: tokens.map((token) => exported(em, PersonalAccessToken, token)),
    notifiedDevices: devices.map((device) => exported(em, PushSubscription, device)),
    calendarLinkSince: feed?.createdAt ?? null,
  };
}

async function readSecondFactor(em: Em, id: string) {
  const app = await em.findOne(Authenticator, ofUser(id));
  const passkeys = await em.find(Passkey, ofUser(id), { orderBy: { createdAt: 'asc' } });
  const devices = await em.find(RememberedDevice, ofUser(id), { orderBy: { createdAt: 'asc' } });
  return {
    authenticatorAppSince: app?.confirmedAt ?? null,
    passkeys: passkeys.map((passkey) => exported(em, Passkey, passkey)),
    recoveryCodesLeft: await em.count(RecoveryCode, ofUser(id)),
    rememberedDevices: devices.map((device) => exported(em, RememberedDevice, device)),
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
  const calendars = await em.find(BusyCalendar, ofUser(id), { orderBy: { createdAt: 'asc' } });
  return {
    leave: leave && exported(em, Leave, leave),
    busyCalendars: calendars.map((calendar) => exported(em, BusyCalendar, calendar)),
    status: status && exported(em, PilotStatus, status),
    aircraft: levels.map((level) => ({ aircraft: level.aircraft.name, ...exported(em, Proficiency, level) })),
    weeks: templates.map((template) => ({
      ...exported(em, AvailabilityTemplate, template),
      times: template.slots.map((slot) => ({
        aircraft: slot.aircraft?.name ?? 'any',
        ...exported(em, AvailabilitySlot, slot),
      })),
    })),
    dates: overrides.map((override) => ({
      aircraft: override.aircraft?.name ?? 'any',
      ...exported(em, AvailabilityOverride, override),
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
  const comments = await em.find(MissionComment, { author: id }, { populate: ['mission'], orderBy: { id: 'asc' } });
  const files = await em.find(MissionFile, { uploadedBy: id }, { orderBy: { createdAt: 'asc' } });
  const gameNames = await em.find(GameIdentity, ofUser(id), { orderBy: { createdAt: 'asc' } });
  const seen = await em.find(Presence, { pilot: id }, { populate: ['mission'], orderBy: { fromAt: 'asc' } });
  const proposed = await em.find(
    AttendanceProposal,
    { pilot: id },
    { populate: ['mission'], orderBy: { createdAt: 'asc' } },
  );
  const brief = ({ id: missionId, name, startsAt, endsAt }: Mission) => ({ id: missionId, name, startsAt, endsAt });
  return {
    orders: orders.map((order) => ({
      number: order.seq,
      mission: brief(order.mission),
      flight: order.flight.callsign,
      aircraft: order.flight.aircraft.name,
      seat: order.seatIndex + 1,
      ...exported(em, FragOrder, order),
    })),
    couldHaveFlown: willing.map(({ mission }) => brief(mission)),
    missionsCreated: planned.map(brief),
    comments: comments.map((comment) => ({
      mission: brief(comment.mission),
      ...exported(em, MissionComment, comment),
    })),
    templatesSaved: templates.map((template) => exported(em, MissionTemplate, template)),
    seriesMade: series.map((one) => ({ name: one.content.name, ...exported(em, MissionSeries, one) })),
    missionFiles: files.map((file) => exported(em, MissionFile, file)),
    namesInGame: gameNames.map((one) => exported(em, GameIdentity, one)),
    seenInGame: seen.map((one) => ({ mission: brief(one.mission), ...exported(em, Presence, one) })),
    attendanceProposed: proposed.map((one) => ({
      mission: brief(one.mission),
      ...exported(em, AttendanceProposal, one),
    })),
  };
}

async function readDiscord(em: Em, id: string) {
  const account = await em.findOne(DiscordAccount, ofUser(id));
  if (!account) return null;
  const members = await em.find(GuildMember, { discordUserId: account.discordUserId }, { populate: ['guild'] });
  return {
    ...exported(em, DiscordAccount, account),
    servers: members.map((member) => ({ name: member.guild.name, ...exported(em, GuildMember, member) })),
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
    auditLog: entries.map((entry) => exported(em, AuditEntry, entry)),
  };
}
