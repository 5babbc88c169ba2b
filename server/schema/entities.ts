/** The whole schema, in one list for the ORM. */
import { Aircraft, Proficiency } from './aircraft.ts';
import {
  AvailabilityOverride,
  AvailabilitySlot,
  AvailabilityTemplate,
  BusyCalendar,
  BusyTime,
  Leave,
  RosterChange,
} from './availability.ts';
import { Community, CommunityMessage, Invite, InviteUse, SlotRequest } from './community.ts';
import { CalendarFeed, Delivery, PushSubscription, ServerSecret } from './delivery.ts';
import { FragOrder, Seat } from './frag-order.ts';
import {
  BotLease,
  DiscordAccount,
  Guild,
  GuildChannel,
  GuildEvent,
  GuildMember,
  RegistrationSession,
} from './guild.ts';
import { MailOptOut } from './mail.ts';
import { SeatSwap, WillingPilot } from './matching.ts';
import { AircraftSlot, Flight, Mission, Package } from './mission.ts';
import { MissionFile, MissionFileChunk, MissionFileContent, MissionFileSeat } from './mission-file.ts';
import { MissionComment } from './mission-comment.ts';
import { DiscordPost } from './discord-post.ts';
import { Attempt, FailingStep, AuditEntry, IdempotencyKey } from './operations.ts';
import { AttendanceProposal, GameIdentity, Presence } from './presence.ts';
import { Reminder, TurnoutWarning } from './reminder.ts';
import { MissionSeries, MissionTemplate, SeriesOccurrence } from './series.ts';
import {
  Authenticator,
  Passkey,
  PasskeyChallenge,
  PendingSignIn,
  RecoveryCode,
  RememberedDevice,
} from './second-factor.ts';
import { Ban, LastSeen, PersonalAccessToken, PilotStatus, Session, SignInLink, User } from './user.ts';
import { Webhook, WebhookEventRow } from './webhook.ts';

export const entities = [
  User,
  Session,
  PersonalAccessToken,
  SignInLink,
  LastSeen,
  PilotStatus,
  Authenticator,
  Passkey,
  RecoveryCode,
  RememberedDevice,
  PendingSignIn,
  PasskeyChallenge,
  Ban,
  Community,
  CommunityMessage,
  Invite,
  InviteUse,
  SlotRequest,
  Aircraft,
  Proficiency,
  AvailabilityTemplate,
  AvailabilitySlot,
  AvailabilityOverride,
  Leave,
  BusyCalendar,
  BusyTime,
  RosterChange,
  Mission,
  AircraftSlot,
  Package,
  Flight,
  MissionTemplate,
  MissionSeries,
  SeriesOccurrence,
  FragOrder,
  Seat,
  WillingPilot,
  SeatSwap,
  Reminder,
  TurnoutWarning,
  MissionComment,
  CalendarFeed,
  PushSubscription,
  Delivery,
  ServerSecret,
  Guild,
  DiscordAccount,
  GuildMember,
  GuildChannel,
  GuildEvent,
  RegistrationSession,
  BotLease,
  DiscordPost,
  IdempotencyKey,
  Attempt,
  FailingStep,
  AuditEntry,
  MissionFileContent,
  MissionFileChunk,
  MissionFile,
  MissionFileSeat,
  GameIdentity,
  Presence,
  AttendanceProposal,
  Webhook,
  WebhookEventRow,
  MailOptOut,
];

/**
 * Aggregates that are loaded, changed and saved as a whole: only the ORM writes their tables. The query builder alone writes all
 * others, which are queues, logs, counters and sets; the ORM reads them (`tests/unit/server/schema/writers.test.ts`).
 */
export const aggregates: ReadonlySet<unknown> = new Set([
  User,
  Ban,
  Passkey,
  Proficiency,
  AvailabilityTemplate,
  AvailabilitySlot,
  AvailabilityOverride,
  Leave,
  Mission,
  AircraftSlot,
  Package,
  Flight,
  DiscordAccount,
  RegistrationSession,
  GuildEvent,
]);
