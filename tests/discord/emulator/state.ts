/** State of the emulated Discord. Plain records: permissions are decided elsewhere. */
import type { APIApplicationCommandOption, APIEmbed, APIMessageTopLevelComponent } from 'discord-api-types/v10';
import { nextId } from './ids.ts';
import type { OverwriteSpec, Rate, RecordedRequest, Snowflake } from './types.ts';

export interface Person {
  id: Snowflake;
  username: string;
  globalName: string | null;
  isBot: boolean;
  hasClosedDms: boolean;
  locale: string;
}

export interface Member {
  person: Person;
  nick: string | null;
  roles: Snowflake[];
  /** ISO instant */
  joinedAt: string;
  /** ISO instant */
  timeoutUntil: string | null;
}

export interface Role {
  id: Snowflake;
  name: string;
  permissions: bigint;
  position: number;
  /** made for this application's bot */
  isManaged: boolean;
  /** everybody may mention it */
  isMentionable: boolean;
}

export interface Channel {
  id: Snowflake;
  /** null: direct messages between the bot and `recipient` */
  guildId: Snowflake | null;
  recipient: Person | null;
  type: number;
  name: string;
  topic: string | null;
  position: number;
  nsfw: boolean;
  parentId: Snowflake | null;
  /** of a thread */
  archived: boolean;
  locked: boolean;
  /** who started a thread; null for another channel */
  ownerId: Snowflake | null;
  /** a thread is archived after so many minutes without a message */
  archiveMinutes: number;
  /** when each member joined a thread, by their id */
  threadMembers: Map<Snowflake, string>;
  overwrites: readonly OverwriteSpec[];
  /** oldest first */
  messages: Message[];
}

export interface Message {
  id: Snowflake;
  channelId: Snowflake;
  author: Person;
  /** 0 a message, 20 the reply to a command, 19 the answer to another message */
  type: number;
  content: string;
  embeds: APIEmbed[];
  components: APIMessageTopLevelComponent[];
  flags: number;
  nonce: string | number | null;
  ephemeralFor: Snowflake | null;
  mentions: Snowflake[];
  mentionedRoles: Snowflake[];
  mentionsEveryone: boolean;
  /** the message that it answers */
  replyTo: Message | null;
  editedAt: string | null;
  /** the interaction that it answers */
  interaction: Interaction | null;
}

export interface ScheduledEvent {
  id: Snowflake;
  guildId: Snowflake;
  name: string;
  description: string | null;
  status: number;
  startsAt: string;
  endsAt: string | null;
  location: string;
}

export interface Guild {
  id: Snowflake;
  name: string;
  ownerId: Snowflake;
  roles: Map<Snowflake, Role>;
  channels: Map<Snowflake, Channel>;
  members: Map<Snowflake, Member>;
  events: Map<Snowflake, ScheduledEvent>;
  isInstalled: boolean;
  isOut: boolean;
  botPermissions: bigint;
  locale: string;
}

export interface Command {
  id: Snowflake;
  /** null: in every guild and in direct messages */
  guildId: Snowflake | null;
  name: string;
  description: string;
  /** by locale */
  descriptionLocalizations: Record<string, string | null> | null;
  options: APIApplicationCommandOption[];
  defaultMemberPermissions: string | null;
  /** where it can be used: 0 guilds, 1 direct messages with the bot; null everywhere */
  contexts: number[] | null;
  dmPermission: boolean;
}

export interface Interaction {
  id: Snowflake;
  token: string;
  /** 2 a command, 3 a button, 4 an autocomplete */
  type: number;
  person: Person;
  guildId: Snowflake | null;
  channel: Channel;
  commandName: string | null;
  /** the message whose button was pressed */
  source: Message | null;
  createdMs: number;
  /** type of the first answer; null: none yet */
  callbackType: number | null;
  /** nothing came within Discord's three seconds */
  isOver: boolean;
  /** answered to the person only */
  isEphemeral: boolean;
  /** `@original`; null while there is none */
  original: Message | null;
  followUps: Message[];
  /** a deferred update was followed by an edit */
  isEdited: boolean;
  choices: { name: string; value: string | number }[];
}

export interface World {
  readonly token: string;
  readonly applicationId: Snowflake;
  readonly clientSecret: string;
  readonly bot: Person;
  readonly redirectUris: readonly string[];
  /** anybody may add the application to a server */
  readonly isPublic: boolean;
  readonly people: Map<Snowflake, Person>;
  readonly guilds: Map<Snowflake, Guild>;
  /** those of guilds too */
  readonly channels: Map<Snowflake, Channel>;
  readonly commands: Map<Snowflake, Command>;
  readonly interactions: Map<string, Interaction>;
  /** by `author:nonce`: messages that were to be unique */
  readonly nonces: Map<string, Message>;
  /** set by tests, by call or name, in place of Discord's own */
  readonly rates: Map<string, Rate>;
  readonly requests: RecordedRequest[];
  readonly violations: string[];
  isMembersIntentRefused: boolean;
  isInteractionsExpired: boolean;
  /** Something changed: pending waits check again. */
  changed: () => void;
  /** Tell the sessions. @param guildId null: to the shard of direct messages */
  dispatch: (event: string, guildId: Snowflake | null, data: object, intents?: number) => void;
  /** Breach of the contract, in words. */
  violate: (what: string) => void;
}

export function createWorld(
  { redirectUris, isPublic }: Pick<World, 'redirectUris' | 'isPublic'>,
  changed: () => void,
): World {
  const applicationId = nextId();
  const bot: Person = {
    id: applicationId,
    username: 'marshal',
    globalName: null,
    isBot: true,
    hasClosedDms: false,
    locale: 'en-US',
  };
  const world: World = {
    token: `${Buffer.from(applicationId).toString('base64url')}.Emulat.${crypto.randomUUID().replaceAll('-', '')}`,
    applicationId,
    clientSecret: crypto.randomUUID().replaceAll('-', ''),
    bot,
    redirectUris,
    isPublic,
    people: new Map([[bot.id, bot]]),
    guilds: new Map(),
    channels: new Map(),
    commands: new Map(),
    interactions: new Map(),
    nonces: new Map(),
    rates: new Map(),
    requests: [],
    violations: [],
    isMembersIntentRefused: false,
    isInteractionsExpired: false,
    changed,
    dispatch: () => undefined,
    violate: (what) => {
      if (!world.violations.includes(what)) world.violations.push(what);
      changed();
    },
  };
  return world;
}

/** @throws Error: a test named something that does not exist */
export function guildOf(world: World, guildId: Snowflake): Guild {
  const guild = world.guilds.get(guildId);
  if (guild === undefined) throw new Error(`There is no guild ${guildId}`);
  return guild;
}

/** @throws Error: a test named something that does not exist */
export function personOf(world: World, userId: Snowflake): Person {
  const person = world.people.get(userId);
  if (person === undefined) throw new Error(`There is nobody with the id ${userId}`);
  return person;
}
