/**
 * Typed statements: Kysely over a database type that is derived from the entities, so that the compiler checks tables,
 * columns and rows. Raw `sql` templates are for what the builder cannot express.
 */
import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { sql, type AliasedRawBuilder, type ColumnType, type Expression, type Kysely, type RawBuilder } from 'kysely';
import type { AircraftSchema, ProficiencySchema } from './aircraft.ts';
import type {
  AvailabilityTemplateSchema,
  AvailabilitySlotSchema,
  AvailabilityOverrideSchema,
  BusyCalendarSchema,
  BusyTimeSchema,
  LeaveSchema,
  RosterChangeSchema,
} from './availability.ts';
import type {
  CommunityMessageSchema,
  CommunitySchema,
  InviteSchema,
  InviteUseSchema,
  SlotRequestSchema,
} from './community.ts';
import type { CalendarFeedSchema, DeliverySchema, PushSubscriptionSchema, ServerSecretSchema } from './delivery.ts';
import type { DiscordPostSchema } from './discord-post.ts';
import type { FragOrderSchema, SeatSchema } from './frag-order.ts';
import type {
  GuildSchema,
  DiscordAccountSchema,
  GuildMemberSchema,
  GuildChannelSchema,
  GuildEventSchema,
  BotLeaseSchema,
  RegistrationSessionSchema,
} from './guild.ts';
import type { MailOptOutSchema } from './mail.ts';
import type { WillingPilotSchema, SeatSwapSchema } from './matching.ts';
import type {
  MissionFileChunkSchema,
  MissionFileContentSchema,
  MissionFileSchema,
  MissionFileSeatSchema,
} from './mission-file.ts';
import type { MissionCommentSchema } from './mission-comment.ts';
import type { MissionSchema, AircraftSlotSchema, PackageSchema, FlightSchema } from './mission.ts';
import type { IdempotencyKeySchema, AttemptSchema, FailingStepSchema, AuditEntrySchema } from './operations.ts';
import { builderOf } from './flushing.ts';
import type { Em } from './orm.ts';
import type {
  AuthenticatorSchema,
  PasskeyChallengeSchema,
  PasskeySchema,
  PendingSignInSchema,
  RecoveryCodeSchema,
  RememberedDeviceSchema,
} from './second-factor.ts';
import type { AttendanceProposalSchema, GameIdentitySchema, PresenceSchema } from './presence.ts';
import type { ReminderSchema, TurnoutWarningSchema } from './reminder.ts';
import type { MissionSeriesSchema, MissionTemplateSchema, SeriesOccurrenceSchema } from './series.ts';
import type {
  UserSchema,
  SessionSchema,
  PersonalAccessTokenSchema,
  SignInLinkSchema,
  LastSeenSchema,
  PilotStatusSchema,
  BanSchema,
} from './user.ts';
import type { WebhookSchema, WebhookEventSchema } from './webhook.ts';

type Tables = InferKyselyDB<
  | typeof AircraftSchema
  | typeof ProficiencySchema
  | typeof AvailabilityTemplateSchema
  | typeof AvailabilitySlotSchema
  | typeof AvailabilityOverrideSchema
  | typeof BusyCalendarSchema
  | typeof BusyTimeSchema
  | typeof LeaveSchema
  | typeof RosterChangeSchema
  | typeof AuthenticatorSchema
  | typeof PasskeySchema
  | typeof PasskeyChallengeSchema
  | typeof PendingSignInSchema
  | typeof RecoveryCodeSchema
  | typeof RememberedDeviceSchema
  | typeof CommunitySchema
  | typeof CommunityMessageSchema
  | typeof InviteSchema
  | typeof InviteUseSchema
  | typeof SlotRequestSchema
  | typeof CalendarFeedSchema
  | typeof DeliverySchema
  | typeof PushSubscriptionSchema
  | typeof ServerSecretSchema
  | typeof MissionFileContentSchema
  | typeof MissionFileChunkSchema
  | typeof MissionFileSchema
  | typeof MissionFileSeatSchema
  | typeof GameIdentitySchema
  | typeof PresenceSchema
  | typeof AttendanceProposalSchema
  | typeof FragOrderSchema
  | typeof SeatSchema
  | typeof GuildSchema
  | typeof DiscordAccountSchema
  | typeof GuildMemberSchema
  | typeof GuildChannelSchema
  | typeof GuildEventSchema
  | typeof BotLeaseSchema
  | typeof RegistrationSessionSchema
  | typeof WillingPilotSchema
  | typeof SeatSwapSchema
  | typeof ReminderSchema
  | typeof TurnoutWarningSchema
  | typeof MissionSchema
  | typeof AircraftSlotSchema
  | typeof PackageSchema
  | typeof FlightSchema
  | typeof MissionCommentSchema
  | typeof DiscordPostSchema
  | typeof IdempotencyKeySchema
  | typeof AttemptSchema
  | typeof FailingStepSchema
  | typeof AuditEntrySchema
  | typeof UserSchema
  | typeof SessionSchema
  | typeof PersonalAccessTokenSchema
  | typeof SignInLinkSchema
  | typeof LastSeenSchema
  | typeof PilotStatusSchema
  | typeof BanSchema
  | typeof MissionTemplateSchema
  | typeof MissionSeriesSchema
  | typeof SeriesOccurrenceSchema
  | typeof WebhookSchema
  | typeof WebhookEventSchema
  | typeof MailOptOutSchema
> & { 'graphile_worker.jobs': JobLibraryJob; pg_locks: HeldLock; pg_database: NamedDatabase };

/** The job library's view of its jobs: the columns that are read here. */
interface JobLibraryJob {
  task_identifier: string;
  key: string | null;
  attempts: number;
  max_attempts: number;
  last_error: string | null;
  run_at: Date;
  locked_at: Date | null;
  locked_by: string | null;
}

/** PostgreSQL's view of its locks: the columns that are read here. */
interface HeldLock {
  locktype: string;
  /** the locks of all databases are in it */
  database: number;
  /** of an advisory lock: its number */
  objid: number;
}
interface NamedDatabase {
  oid: number;
  datname: string;
}

declare const unread: unique symbol;
/** A timestamptz as the driver returns it: PostgreSQL's text. Read it with `ms`; the type keeps it from passing as a Date. */
type Unread = string & { [unread]: true };

/** An instant of a row, in a statement. */
export type Instant = Date | Unread;

/** Column type: instants are compared with Dates and written as Dates. */
type Column<Value> = [Value] extends [Date | null] ? ColumnType<Value | Unread, Value, Value> : Value;

/** Tables and columns by their names in the database. */
export type Database = {
  [Table in keyof Tables]: { [Name in keyof Tables[Table]]: Column<Tables[Table][Name]> };
};

/** The query builder. In a transaction, pending changes of entities are written first (`flushing.ts`). */
export const db = (em: Em): Kysely<Database> => builderOf<Database>(em);

/** An instant in whole epoch milliseconds, as a Date has them: the database keeps microseconds. */
export function ms<Value extends Instant | null>(
  instant: Expression<Value>,
): RawBuilder<null extends Value ? number | null : number> {
  return sql`floor(extract(epoch from ${instant}) * 1000)::float8`;
}

/** The row count as a number; PostgreSQL's own count is a bigint and arrives as text. */
export const countRows = (): RawBuilder<number> => sql<number>`count(*)::int`;

/** A value for a jsonb column, lists included: node-postgres would send a list as a PostgreSQL array. */
export const json = <Value>(value: Value): RawBuilder<Value> => sql<Value>`${JSON.stringify(value)}::jsonb`;

/** Membership in a list of ids, passed as a single parameter: `where(isOneOf('m.id', ids))`. */
export const isOneOf = (column: string, ids: readonly string[] | readonly number[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} = any(${ids})`;

/** Ids as a list in a statement, passed as a single parameter. */
export const idList = (ids: readonly string[]): RawBuilder<string[]> => sql<string[]>`${ids}::uuid[]`;

type Span = `${number} ${'seconds' | 'minutes' | 'hours' | 'days'}`;

/** The instant this long before the current time of the database. */
export const ago = (span: Span): RawBuilder<Date> => sql<Date>`now() - ${span}::interval`;

/** The instant this long after the current time of the database. */
export const fromNow = (span: Span): RawBuilder<Date> => sql<Date>`now() + ${span}::interval`;

/** `nextVersionAt` in a statement. @param last the column with the time of the last change */
export const nextVersionIn = (last: Expression<unknown>, now: Date): RawBuilder<Date> =>
  sql<Date>`greatest(${now}::timestamptz, ${last} + interval '1 ms')`;

declare const textOf: unique symbol;
/** Rows as JSON: the value of a table in a named statement. */
export type RowsText<Row> = string & { readonly [textOf]: Row };

/** Rows as the value of a table in a named statement. */
export const rowsText = <Row extends object>(rows: readonly Row[]): RowsText<Row> =>
  JSON.stringify(rows) as RowsText<Row>;

/**
 * The given rows as a table in a statement, passed as a single parameter.
 * @param types of the columns, as PostgreSQL names them; other properties of the rows stay out
 */
export function tableOf<Row extends object, Field extends keyof Row & string, Name extends string>(
  name: Name,
  rows: readonly Row[] | RowsText<Row>,
  types: Record<Field, 'uuid' | 'text' | 'integer' | 'smallint' | 'boolean' | 'timestamptz' | 'jsonb' | 'text[]'>,
): AliasedRawBuilder<Pick<Row, Field>, Name> {
  const pick = (row: Row) => Object.fromEntries(Object.entries(row).filter(([column]) => column in types));
  const records = Array.isArray(rows) ? JSON.stringify(rows.map(pick)) : rows;
  const columns = Object.entries<string>(types).map(([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`);
  return sql<Pick<Row, Field>>`jsonb_to_recordset(${records}::jsonb)`.as<Name>(
    sql`${sql.ref(name)} (${sql.join(columns)})`,
  );
}
