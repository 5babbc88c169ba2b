/** Checks gateway payloads of the bot and dispatches to it against Discord's format. */
import * as spec from 'discord-api-spec/zod';
import { z } from 'zod';
import { withZuluInstants } from './contract.ts';
import { issuesOf, type Issue, type Schema } from './contract-strict.ts';
import type { World } from './state.ts';

const snowflake = z.string().regex(/^(0|[1-9]\d*)$/);
const whole = z.int().min(0);

const said = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal(1), d: whole.nullable() }),
  z.strictObject({
    op: z.literal(2),
    d: z.strictObject({
      token: z.string().min(1),
      properties: z.strictObject({ os: z.string(), browser: z.string(), device: z.string() }),
      compress: z.boolean().optional(),
      large_threshold: z.int().min(50).max(250).optional(),
      shard: z.tuple([whole, z.int().min(1)]).optional(),
      presence: z
        .strictObject({
          since: whole.nullish(),
          activities: z.array(z.looseObject({ name: z.string(), type: whole })),
          status: z.enum(['online', 'dnd', 'idle', 'invisible', 'offline']),
          afk: z.boolean(),
        })
        .optional(),
      intents: whole,
    }),
  }),
  z.strictObject({ op: z.literal(3), d: z.looseObject({}) }),
  z.strictObject({ op: z.literal(4), d: z.looseObject({ guild_id: snowflake }) }),
  z.strictObject({
    op: z.literal(6),
    d: z.strictObject({ token: z.string(), session_id: z.string(), seq: whole }),
  }),
  z.strictObject({
    op: z.literal(8),
    d: z
      .strictObject({
        guild_id: snowflake,
        query: z.string().optional(),
        limit: whole.optional(),
        presences: z.boolean().optional(),
        user_ids: z.union([snowflake, z.array(snowflake).max(100)]).optional(),
        nonce: z.string().max(32).optional(),
      })
      .refine(
        (request) => request.user_ids !== undefined || request.query !== undefined,
        'names neither query nor user_ids',
      )
      .refine((request) => request.query === undefined || request.limit !== undefined, 'has a query without a limit'),
  }),
]);
export type GatewaySaid = z.infer<typeof said>;

/** "Must not exceed 4096 bytes", https://docs.discord.com/developers/events/gateway#sending-events */
const PAYLOAD_BYTES = 4096;

/** @returns null for a payload that Discord could not parse either */
export function readGatewayPayload(world: World, text: string): GatewaySaid | null {
  if (Buffer.byteLength(text) > PAYLOAD_BYTES) {
    world.violate(`The gateway was sent more than ${PAYLOAD_BYTES} bytes in one payload`);
    return null;
  }
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    world.violate('The gateway was sent something that is not JSON');
    return null;
  }
  const read = said.safeParse(payload);
  if (read.success) return read.data;
  const op = typeof payload === 'object' && payload !== null && 'op' in payload ? String(payload.op) : 'none';
  for (const { path, message } of read.error.issues) {
    world.violate(`Gateway op ${op}: ${path.join('.') || 'the payload'}: ${message}`);
  }
  return null;
}

const member = spec.GuildMemberResponseSchema;
const channel = z.union([spec.GuildChannelResponseSchema, spec.ThreadResponseSchema]);
const event = spec.ExternalScheduledEventResponseSchema;

/** Fields of GUILD_CREATE beyond those of the REST guild. */
const GUILD_PARTS: Record<string, Schema> = {
  joined_at: z.iso.datetime(),
  large: z.boolean(),
  unavailable: z.literal(false),
  member_count: whole,
  voice_states: z.array(z.never()),
  members: z.array(member),
  channels: z.array(channel),
  threads: z.array(channel),
  presences: z.array(z.never()),
  stage_instances: z.array(z.never()),
  guild_scheduled_events: z.array(event),
  soundboard_sounds: z.array(z.never()),
};
const CHUNK_PARTS = {
  members: z.array(member).max(1000),
  chunk_index: whole,
  chunk_count: whole,
  not_found: z.array(snowflake).optional(),
  nonce: z.string().max(32).optional(),
};
const ROLE_PARTS = { role: spec.GuildRoleResponseSchema };

const THREAD_MEMBERS_PARTS = {
  id: snowflake,
  member_count: whole.max(50),
  added_members: z.array(spec.ThreadMemberResponseSchema).optional(),
  removed_member_ids: z.array(snowflake).optional(),
};

interface Told {
  /** the schema of the event itself, without its parts */
  whole?: Schema;
  /** schemas of single properties */
  parts?: Record<string, Schema>;
}

/** The payload of each event besides `guild_id`. Discord specifies the payloads, but not the events. */
const TOLD: Record<string, Told> = {
  GUILD_CREATE: { whole: spec.GuildResponseSchema, parts: GUILD_PARTS },
  GUILD_UPDATE: { whole: spec.GuildResponseSchema },
  GUILD_DELETE: { parts: { id: snowflake, unavailable: z.literal(true).optional() } },
  GUILD_MEMBER_ADD: { whole: member },
  GUILD_MEMBER_UPDATE: { whole: member },
  GUILD_MEMBER_REMOVE: { parts: { user: spec.UserResponseSchema } },
  GUILD_MEMBERS_CHUNK: { parts: CHUNK_PARTS },
  GUILD_ROLE_CREATE: { parts: ROLE_PARTS },
  GUILD_ROLE_UPDATE: { parts: ROLE_PARTS },
  GUILD_ROLE_DELETE: { parts: { role_id: snowflake } },
  GUILD_SCHEDULED_EVENT_CREATE: { whole: event },
  GUILD_SCHEDULED_EVENT_UPDATE: { whole: event },
  GUILD_SCHEDULED_EVENT_DELETE: { whole: event },
  MESSAGE_CREATE: { whole: spec.MessageResponseSchema },
  MESSAGE_UPDATE: { whole: spec.MessageResponseSchema },
  MESSAGE_DELETE: { parts: { id: snowflake, channel_id: snowflake } },
  ...Object.fromEntries(
    ['CHANNEL', 'THREAD'].flatMap((kind) =>
      ['CREATE', 'UPDATE', 'DELETE'].map((what) => [`${kind}_${what}`, { whole: channel }] as const),
    ),
  ),
  THREAD_CREATE: { whole: channel, parts: { newly_created: z.literal(true).optional() } },
  THREAD_MEMBERS_UPDATE: { parts: THREAD_MEMBERS_PARTS },
};

/** Checks that an event is as Discord would send it. */
export function checkDispatch(world: World, name: string, data: object): void {
  const complain = ({ path, message }: Issue) => world.violate(`The event ${name}: ${path || 'the event'}: ${message}`);
  const told = name === 'INTERACTION_CREATE' ? interactionParts(data) : TOLD[name];
  if (told === undefined) return;
  const { guild_id: guildId, ...own } = withZuluInstants(data) as Record<string, unknown>;
  const partNames = Object.keys(told.parts ?? {});
  for (const [part, schema] of Object.entries(told.parts ?? {})) {
    issuesOf(schema, own[part]).forEach((issue) => complain({ ...issue, path: `${part}.${issue.path}` }));
  }
  if (told.whole === undefined) return;
  // channels and events name theirs as a property of their own
  const rest = Object.fromEntries(Object.entries(own).filter(([key]) => !partNames.includes(key)));
  const keepsGuild = told.whole === channel || told.whole === event;
  issuesOf(told.whole, keepsGuild ? { ...rest, guild_id: guildId } : rest).forEach(complain);
}

/** Interactions carry messages and members as REST tells them, and two numbers more. */
function interactionParts(data: object): Told {
  const parts: Record<string, Schema> = {
    id: snowflake,
    application_id: snowflake,
    token: z.string().min(1),
    version: z.literal(1),
    type: z.literal([2, 3, 4]),
    channel_id: snowflake,
    app_permissions: z.string().regex(/^\d+$/),
  };
  if ('message' in data) parts['message'] = spec.MessageResponseSchema;
  if ('user' in data) parts['user'] = spec.UserResponseSchema;
  if ('member' in data) parts['member'] = z.object({ ...member.shape, permissions: z.string() });
  return { parts };
}
