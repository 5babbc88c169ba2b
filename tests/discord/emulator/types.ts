/**
 * The emulated Discord: HTTP and gateway on the loopback interface, in one process and in memory, for tests and the
 * sandbox. The real discord.js and `@discordjs/rest` connect to it. All messages are checked with Discord's schemas. It
 * knows nothing about Marshal.
 */
import type { APIEmbed, APIMessageTopLevelComponent } from 'discord-api-types/v10';
import type { Command } from './state.ts';

export type Snowflake = string;

/** Bits of Discord's permissions, by their names in discord-api-types. */
export type Permission = bigint;

export interface RoleSpec {
  id?: Snowflake;
  name: string;
  permissions: Permission;
  position?: number;
  /** everybody may mention it; false if not said */
  isMentionable?: boolean;
}

export interface OverwriteSpec {
  id: Snowflake;
  /** 0 a role, 1 a member */
  type: 0 | 1;
  allow?: Permission;
  deny?: Permission;
}

export interface ChannelSpec {
  id?: Snowflake;
  name: string;
  /** Discord's number: 0 text, 2 voice, 4 category, 5 announcement, 11 thread, 15 forum */
  type?: number;
  topic?: string | null;
  position?: number;
  nsfw?: boolean;
  parentId?: Snowflake | null;
  /** of a thread */
  archived?: boolean;
  locked?: boolean;
  overwrites?: readonly OverwriteSpec[];
}

export interface PersonSpec {
  id?: Snowflake;
  username: string;
  globalName?: string | null;
  isBot?: boolean;
  /** language of this person's Discord; en-US if not said */
  locale?: string;
}

export interface MemberSpec extends PersonSpec {
  nick?: string | null;
  roles?: readonly Snowflake[];
  joinedAt?: string;
}

export interface GuildSpec {
  id?: Snowflake;
  name: string;
  ownerId?: Snowflake;
  /** permissions of @everyone; Discord's default for a new server if absent */
  everyone?: Permission;
  roles?: readonly RoleSpec[];
  channels?: readonly ChannelSpec[];
  members?: readonly MemberSpec[];
  /** permissions of the bot's own role; by default those of our install link */
  botPermissions?: Permission;
  /** the server's language; en-US if not said */
  locale?: string;
  /** false: the guild exists, the bot is not in it */
  isInstalled?: boolean;
}

/** The current state of a message. */
export interface StoredMessage {
  id: Snowflake;
  channelId: Snowflake;
  authorId: Snowflake;
  content: string;
  embeds: readonly APIEmbed[];
  components: readonly APIMessageTopLevelComponent[];
  nonce: string | null;
  /** only this person sees it */
  ephemeralFor: Snowflake | null;
  /** ids of people it notified */
  mentions: readonly Snowflake[];
  /** ids of roles whose members it notified */
  mentionedRoles: readonly Snowflake[];
  mentionsEveryone: boolean;
  /** the message that it answers */
  replyTo: Snowflake | null;
  editedAt: string | null;
}

/** A session of the gateway that is connected. */
export interface StoredSession {
  id: string;
  shardId: number;
  shardCount: number;
}

/** What Discord decides about shards; its own figures if not said. */
export interface ShardChange {
  /** as many as `GET /gateway/bot` recommends; 0: one for each thousand servers */
  recommended?: number;
  /** how many may identify within five seconds */
  maxConcurrency?: number;
  /** servers that a shard may have; one that identifies with more is closed with 4011 */
  most?: number;
  /** between two heartbeats */
  heartbeatMs?: number;
}

export interface StoredThread {
  id: Snowflake;
  name: string;
  isArchived: boolean;
  archiveMinutes: number;
  /** in the order in which they joined */
  members: readonly Snowflake[];
}

export interface StoredScheduledEvent {
  id: Snowflake;
  guildId: Snowflake;
  name: string;
  description: string | null;
  /** 1 scheduled, 2 active, 3 completed, 4 cancelled */
  status: number;
  startsAt: string;
  endsAt: string | null;
  location: string | null;
}

/** The result of a click or command, as the user sees it. */
export interface InteractionOutcome {
  id: Snowflake;
  /** how it was first answered: `message`, `deferred`, `deferred update`, `update`, `choices`; null: not within Discord's three seconds */
  answeredWith: string | null;
  /** the current reply that this user sees; null when there is none (yet) */
  reply: StoredMessage | null;
  /** the choices of an autocomplete */
  choices: readonly { name: string; value: string | number }[];
}

export interface RecordedRequest {
  method: string;
  /** without the version: `/channels/123/messages` */
  path: string;
  query: string;
  body: unknown;
  status: number | null;
  atMs: number;
}

/** A fault to inject into the next matching requests. */
export interface FaultSpec {
  method?: string;
  /** of the path without the version */
  path: RegExp;
  /** how many requests; 1 by default, Infinity until `clearFaults` */
  times?: number;
  kind:
    | 'status' // answer `status` with Discord's `code` and `message`
    | 'drop' // cut the connection
    | 'rate limit' // 429 with retry_after
    | 'hang'; // never answer
  /** the fault strikes before or after the request takes effect */
  when?: 'before' | 'after';
  status?: number;
  code?: number;
  message?: string;
  retryAfterSeconds?: number;
}

export interface ActOptions {
  /** resolve when the outcome is final (a reply that is no "thinking …"), not when it was acknowledged; true if not said */
  untilReplied?: boolean;
}

export interface Emulator {
  /** origin, and the base that DISCORD_API_URL names */
  readonly url: string;
  readonly apiUrl: string;
  readonly token: string;
  readonly applicationId: Snowflake;
  readonly clientSecret: string;
  readonly botUserId: Snowflake;

  // ---- the world; every change is sent over the gateway as Discord does
  addGuild(spec: GuildSpec): {
    id: Snowflake;
    roleIds: Record<string, Snowflake>;
    channelIds: Record<string, Snowflake>;
  };
  /** Install the bot into a guild that exists, or take it out. */
  installBot(guildId: Snowflake): void;
  kickBot(guildId: Snowflake): void;
  setOutage(guildId: Snowflake, isOut: boolean): void;
  renameGuild(guildId: Snowflake, name: string): void;
  /** Sets the server's language. */
  setGuildLocale(guildId: Snowflake, locale: string): void;
  addMember(guildId: Snowflake, spec: MemberSpec): Snowflake;
  removeMember(guildId: Snowflake, userId: Snowflake): void;
  updateMember(
    guildId: Snowflake,
    userId: Snowflake,
    change: { nick?: string | null; roles?: readonly Snowflake[]; timeoutUntil?: string | null },
  ): void;
  addChannel(guildId: Snowflake, spec: ChannelSpec): Snowflake;
  updateChannel(guildId: Snowflake, channelId: Snowflake, change: Partial<ChannelSpec>): void;
  deleteChannel(guildId: Snowflake, channelId: Snowflake): void;
  updateRole(
    guildId: Snowflake,
    roleId: Snowflake,
    change: { permissions?: Permission; name?: string; isMentionable?: boolean },
  ): void;
  addRole(guildId: Snowflake, spec: RoleSpec): Snowflake;
  deleteRole(guildId: Snowflake, roleId: Snowflake): void;
  /** Remove the bot without an event, as if it had not been connected. */
  forgetGuild(guildId: Snowflake): void;
  deleteMessage(channelId: Snowflake, messageId: Snowflake): void;
  /** A moderator publishes a message of an announcement channel to the servers that follow it. */
  publishMessage(channelId: Snowflake, messageId: Snowflake): void;
  /** Close or open a person's direct messages; the bot gets 50007 for closed ones. */
  setClosedDms(userId: Snowflake, isClosed: boolean): void;

  // ---- acts of users
  /** Press a button by its label or its custom_id. Resolves with the reply that the user sees. */
  press(userId: Snowflake, messageId: Snowflake, button: string, options?: ActOptions): Promise<InteractionOutcome>;
  /** Use a slash command; `path` is `status set` with its options by name. `guildId` null: in the direct messages with the bot. */
  /** A person chooses an option of the message's menu whose label matches. */
  choose(userId: Snowflake, messageId: Snowflake, option: RegExp, options?: ActOptions): Promise<InteractionOutcome>;
  command(
    userId: Snowflake,
    guildId: Snowflake | null,
    path: string,
    values?: Record<string, string | number | boolean>,
    options?: ActOptions,
  ): Promise<InteractionOutcome>;
  autocomplete(
    userId: Snowflake,
    guildId: Snowflake | null,
    path: string,
    focused: string,
    text: string,
  ): Promise<InteractionOutcome>;

  /** Set the person who consents at /oauth2/authorize without a page; `nobody` refuses; null: a page asks (or the query's `user=<id>`). */
  signInAs(userId: Snowflake | null): void;

  // ---- reads
  messages(channelId: Snowflake): readonly StoredMessage[];
  /** All direct messages between the bot and this person, oldest first. */
  directMessages(userId: Snowflake): readonly StoredMessage[];
  /** The threads of a channel, oldest first. */
  threads(channelId: Snowflake): readonly StoredThread[];
  scheduledEvents(guildId: Snowflake): readonly StoredScheduledEvent[];
  /** Commands registered for the application, as Discord would show them. */
  commands(): readonly Pick<Command, 'name' | 'description' | 'descriptionLocalizations' | 'options'>[];
  readonly requests: readonly RecordedRequest[];
  /** All violations of Discord's contract so far, including the emulator's own. A test ends with `expectNoViolations`. */
  readonly violations: readonly string[];
  /** Current gateway sessions. */
  connections(): number;
  sessions(): readonly StoredSession[];
  /** Resolve when this holds, checked after every change; throws with `what` after ten seconds. */
  until(what: string, condition: () => boolean): Promise<void>;

  // ---- faults
  fail(spec: FaultSpec): void;
  clearFaults(): void;
  /** End the connections with this code, for example 4000; `refuseIdentify: 4014` ends every identify that asks for the members intent. */
  closeGateway(code: number): void;
  refuseMembersIntent(isRefused: boolean): void;
  setSharding(change: ShardChange): void;
  /** From now on a shard gets no events, no answers to its heartbeats, and none when it identifies or resumes. */
  silenceShard(shardId: number, isSilent: boolean): void;
  /** Ends the sessions of one shard (4009), as Discord does when they have timed out. */
  endShard(shardId: number): void;
  /** op 7: reconnect and resume. */
  askReconnect(): void;
  /** op 9: the session is gone. */
  invalidateSession(canResume: boolean): void;
  /** Holds events back for the session; a resume then replays them. */
  cutGateway(): void;
  /** Refuses new connections: the bot stays offline, and its session waits. */
  refuseConnections(isOn: boolean): void;
  /** Apply Discord's rate limits of the gateway, or stop: one identify per 5 s (op 9), and all members of a guild once per 30 s (RATE_LIMITED). */
  limitRates(isOn: boolean): void;
  /** The identifies that are left today; without any, an identify ends all sessions and the token. */
  setSessionStarts(left: number): void;
  /** Another rate for a call, such as `POST /users/@me/channels`, for `global` or `invalid` requests, or for `old edits` or `published edits`. */
  setRate(call: string, rate: Rate): void;
  /** Responses of the last ten minutes that count towards Discord's ban: 401, 403, and 429 unless of a shared limit. */
  invalidRequests(): number;
  /** Send every dispatch twice. */
  duplicateEvents(isOn: boolean): void;
  /** Forget the nonces now, as Discord does after some minutes. */
  forgetNonces(): void;
  /** From now on answers to interactions are too late: 10062. */
  expireInteractions(isOn: boolean): void;

  stop(): Promise<void>;
}

export interface EmulatorOptions {
  /** the address to listen on, 127.0.0.1 if not said */
  host?: string;
  /** 0 if not said: any */
  port?: number;
  /** the redirect addresses that the application knows, for OAuth2 */
  redirectUris?: readonly string[];
  /** anybody may add the application to a server, not only its owner */
  isPublic?: boolean;
  /** Limits that nobody can reach, for tests of other things that start many bots or post much within seconds. */
  wideLimits?: readonly ('requests' | 'gateway')[];
}

/** So many requests in so much time. */
export interface Rate {
  count: number;
  perMs: number;
}
