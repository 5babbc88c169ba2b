/** What a bot may say on the gateway, and whether what it is told is in Discord's words. */
import { z } from 'zod';
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

/** @returns null for what Discord could not read either */
export function readGatewayPayload(world: World, text: string): GatewaySaid | null {
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

export function checkDispatch(_world: World, _event: string, _data: object): void {
  // schemas follow
}
