/** The OpenAPI 3.1 document of the REST calls, generated from the schemas that validate them. */
import { z } from 'zod';
import { appRouter } from '#server/routers/app.ts';
import { DISCORD_CALLBACK_PATH } from '#server/discord/sign-in/oauth.ts';
import { POLICIES, type Policy } from '#server/http/trpc.ts';
import { LIVE_PATH, LIVE_TOPICS } from '#shared/live.ts';
import { kneeboardInput } from '#shared/schemas/calendar.ts';
import { DISCORD_SIGN_IN_PATH } from '#shared/discord-sign-in.ts';
import { discordVisitInput } from '#shared/schemas/discord-link.ts';
import { refusalCode } from '#shared/refusals.ts';
import { orderInput } from '#shared/schemas/pilot.ts';
import { REST_TABLE } from './table.ts';

interface ProcedureDefinition {
  inputs: unknown[];
  output: unknown;
  meta: { policy: Policy } | undefined;
}

const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType;

/** A procedure's input and output schemas and its guard, from the router. */
export function describeProcedure(name: string): ProcedureDefinition {
  const procedure: unknown = Reflect.get(appRouter._def.procedures, name);
  const definition: unknown = typeof procedure === 'function' ? Reflect.get(procedure, '_def') : undefined;
  if (typeof definition !== 'object' || definition === null) throw new Error(`Unknown procedure: ${name}`);
  const inputs: unknown = Reflect.get(definition, 'inputs');
  const meta: unknown = Reflect.get(definition, 'meta');
  const policy: unknown = typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'policy') : undefined;
  const known = POLICIES.find((one) => one === policy);
  return {
    inputs: Array.isArray(inputs) ? inputs : [],
    output: Reflect.get(definition, 'output'),
    meta: known ? { policy: known } : undefined,
  };
}

type JsonSchema = Record<string, unknown>;

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return json;
}

/** The `.input()` steps of a procedure merged into one object. */
function inputSchema(inputs: readonly unknown[]): { properties: Record<string, JsonSchema>; required: string[] } {
  const properties: Record<string, JsonSchema> = {};
  const required = new Set<string>();
  for (const input of inputs.filter(isSchema)) {
    const json = toSchema(input, 'input');
    const object =
      json.type === 'object'
        ? json
        : ((json.anyOf as JsonSchema[] | undefined)?.find((one) => one.type === 'object') ?? {});
    Object.assign(properties, object.properties ?? {});
    for (const name of (object.required as string[] | undefined) ?? []) required.add(name);
  }
  return { properties, required: [...required] };
}

const errorSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: toSchema(refusalCode, 'output'),
    message: { type: 'string' },
    issues: {
      type: 'array',
      items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
    requestId: { type: 'string' },
  },
};

/** The data of one event. */
const liveEventSchema = {
  type: 'object',
  required: ['topic', 'version'],
  properties: { topic: { enum: LIVE_TOPICS }, version: { type: 'integer' } },
};

const ACCESS: Record<Policy, string> = {
  public: 'Anyone.',
  signedIn: 'Anyone who is signed in.',
  pilot: 'Pilots (role user).',
  selfPilot: 'The pilot, or an admin.',
  admin: 'Admins.',
};

/** A call whose successful answer is not JSON; refusals are. */
interface OtherCall {
  path: string;
  operationId: string;
  summary: string;
  input: z.ZodType | null;
  /** of the successful answer */
  description: string;
  type: string;
  schema: JsonSchema;
}

const CALENDAR_FILE = { type: 'text/calendar', schema: { type: 'string' } };

const OTHER_CALLS: readonly OtherCall[] = [
  {
    path: LIVE_PATH.replace('/api/v1', ''),
    operationId: 'pilot.events',
    summary: `${ACCESS.pilot} Server-sent events that name what has changed, so that clients can reload it. The stream never ends.`,
    input: null,
    description: 'One event per change; `all` when some may have been missed',
    type: 'text/event-stream',
    schema: liveEventSchema,
  },
  {
    path: '/pilot/inbox/{id}/kneeboard.png',
    operationId: 'pilot.kneeboard',
    summary: `${ACCESS.pilot} The kneeboard card of an accepted order.`,
    input: kneeboardInput,
    description: 'A PNG image of 768 x 1024 pixels',
    type: 'image/png',
    schema: { type: 'string', contentMediaType: 'image/png' },
  },
  {
    path: '/pilot/inbox/{id}/calendar.ics',
    operationId: 'pilot.orderCalendar',
    summary: `${ACCESS.pilot} One order as a calendar file.`,
    input: orderInput,
    description: 'A calendar with one event, times in UTC',
    ...CALENDAR_FILE,
  },
  {
    path: '/calendar/{token}.ics',
    operationId: 'calendar.file',
    summary: `${ACCESS.public} The token in the link is the only credential.`,
    input: z.object({ token: z.string() }),
    description: "The frag orders of the link's pilot",
    ...CALENDAR_FILE,
  },
];

/** Page loads of a browser that answer with a redirect. */
const REDIRECTS = [
  {
    path: DISCORD_SIGN_IN_PATH.replace('/api/v1', ''),
    operationId: 'auth.discord',
    summary: `${ACCESS.public} Redirects to Discord's sign-in. Needs DISCORD_CLIENT_SECRET.`,
    input: discordVisitInput,
    description: 'Redirects to Discord, or to a page that explains why not',
  },
  {
    path: DISCORD_CALLBACK_PATH,
    operationId: 'auth.discordCallback',
    summary: `${ACCESS.public} Callback from Discord; works once, in the browser that started the sign-in.`,
    input: z.object({ state: z.string(), code: z.string().optional(), error: z.string().optional() }),
    description: 'Redirects to the requested page, or to one that explains why not',
  },
];

const refused = { description: 'Refused', content: { 'application/json': { schema: errorSchema } } };

/** Parameters of a call without a body: those that are not in the path are in the query. */
function toParameters(path: string, inputs: readonly unknown[]): JsonSchema[] {
  const { properties, required } = inputSchema(inputs);
  return Object.entries(properties).map(([name, schema]) => {
    const isInPath = path.includes(`{${name}}`);
    return { name, in: isInPath ? 'path' : 'query', required: isInPath || required.includes(name), schema };
  });
}

/** @param serverUrl the server's address, without a trailing slash */
export function createOpenApi(serverUrl: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const [method, path, name, status = 200] of REST_TABLE) {
    const { inputs, output, meta } = describeProcedure(name);
    const { properties, required } = inputSchema(inputs);
    const template = path.replace(/:(\w+)/g, '{$1}');
    const inPath = new Set([...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? ''));
    const rest = Object.keys(properties).filter((key) => !inPath.has(key));
    const hasBody = method === 'post' || method === 'put';
    const parameter = (key: string, place: 'path' | 'query') => ({
      name: key,
      in: place,
      required: place === 'path' || required.includes(key),
      schema: properties[key] ?? { type: 'string' },
    });
    paths[template] = {
      ...paths[template],
      [method]: {
        operationId: name,
        summary: meta ? ACCESS[meta.policy] : '',
        parameters: [
          ...[...inPath].map((key) => parameter(key, 'path')),
          ...(hasBody ? [] : rest.map((key) => parameter(key, 'query'))),
        ],
        ...(hasBody && rest.length > 0
          ? {
              requestBody: {
                required: true,
                content: {
                  'application/json': {
                    schema: {
                      type: 'object',
                      properties: Object.fromEntries(rest.map((key) => [key, properties[key]])),
                      required: required.filter((key) => !inPath.has(key)),
                    },
                  },
                },
              },
            }
          : {}),
        responses: {
          [status]: {
            description: 'Success',
            content: { 'application/json': { schema: isSchema(output) ? toSchema(output, 'output') : {} } },
          },
          default: refused,
        },
      },
    };
  }
  for (const { path, operationId, summary, input, description, type, schema } of OTHER_CALLS) {
    paths[path] = {
      get: {
        operationId,
        summary,
        parameters: toParameters(path, [input]),
        responses: { 200: { description, content: { [type]: { schema } } }, default: refused },
      },
    };
  }
  for (const { path, operationId, summary, input, description } of REDIRECTS) {
    const headers = { Location: { required: true, schema: { type: 'string' } } };
    const responses = { 303: { description, headers }, default: refused };
    paths[path] = { get: { operationId, summary, parameters: toParameters(path, [input]), responses } };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Marshal', version: '1', description: 'Mission scheduling and pilot matchmaking.' },
    servers: [{ url: `${serverUrl}/api/v1` }],
    paths,
  };
}
