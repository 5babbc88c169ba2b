/** Refusals and headers of the OpenAPI document: what a call can answer, from its guard, method and body. */
import { z } from 'zod';
import type { Policy } from '#server/http/trpc.ts';
import { weekStates } from '#shared/schemas/availability.ts';
import { refusalCode, REFUSALS, type RefusalCode } from '#shared/refusals.ts';
import type { TokenScope } from '#shared/vocabulary.ts';
import { refTo, type JsonSchema } from './openapi-schemas.ts';
import type { Method } from '#server/http/operation.ts';

/** The facts of a call that determine its common refusals and headers. */
export interface CallFacts {
  method: Method;
  policy: Policy;
  hasInput: boolean;
  hasBody: boolean;
  /** true when a POST answers 201 */
  creates: boolean;
  /** takes an Idempotency-Key although it creates nothing */
  isKeyed: boolean;
  /** not for access tokens */
  isSessionOnly: boolean;
  /** needs a fresh session, at least for some inputs */
  mayNeedFresh: boolean;
  /** for game servers: tokens of the scope `server` may make it */
  isForServers?: boolean;
  /** reads that take turns within an account */
  isHeavy: boolean;
}

const changes = ({ method }: Pick<CallFacts, 'method'>): boolean => method !== 'get';
/** True for a call that takes an Idempotency-Key: keys are kept per account, and not for secrets, which only sessions get. */
export const takesKey = ({ creates, isKeyed, policy, isSessionOnly }: CallFacts): boolean =>
  (creates || isKeyed) && policy !== 'public' && !isSessionOnly;
/** True for a call that counts against the write limit of the account. */
const countsAsWrite = (call: CallFacts): boolean => changes(call) && call.policy !== 'public';

/**
 * The scope of an access token that a call needs, as `server/http/trpc.ts` checks it; null for a call without one: it is for
 * anyone, or not for tokens. With another user's id, a call for `read` or `pilot` needs `admin`.
 */
export function scopeOf({
  policy,
  method,
  isSessionOnly,
  isForServers = false,
}: Pick<CallFacts, 'policy' | 'method' | 'isSessionOnly' | 'isForServers'>): TokenScope | null {
  if (policy === 'public' || isSessionOnly) return null;
  if (isForServers) return 'server';
  if (policy === 'admin') return 'admin';
  return method === 'get' ? 'read' : 'pilot';
}

/** Common refusals, each with the calls that can answer it. */
const COMMON: readonly (readonly [code: RefusalCode, when: (call: CallFacts) => boolean])[] = [
  ['BAD_REQUEST', () => true],
  ['VALIDATION', (call) => call.hasInput || takesKey(call)],
  ['NOT_AUTHENTICATED', ({ policy }) => policy !== 'public'],
  ['TOKEN_INVALID', () => true],
  ['FORBIDDEN', ({ policy }) => policy === 'selfPilot'],
  ['SUSPENDED', ({ policy }) => policy === 'pilot' || policy === 'selfPilot'],
  ['ACCOUNT_LEAVING', ({ policy }) => policy === 'pilot' || policy === 'selfPilot'],
  // an admin's write, about another account
  ['DELETION_REQUESTED', (call) => call.policy === 'selfPilot' && changes(call)],
  ['AWAITING_APPROVAL', ({ policy }) => policy === 'pilot'],
  ['NOT_APPROVED', ({ policy }) => policy === 'pilot' || policy === 'selfPilot'],
  ['ADMINS_ONLY', ({ policy }) => policy === 'admin'],
  ['ADMIN_SECOND_FACTOR_REQUIRED', ({ policy }) => policy === 'admin' || policy === 'selfPilot'],
  ['SESSION_REQUIRED', ({ isSessionOnly, mayNeedFresh }) => isSessionOnly || mayNeedFresh],
  ['FRESH_SIGN_IN_REQUIRED', ({ mayNeedFresh }) => mayNeedFresh],
  // a token of a game server lacks what every other call needs
  ['SCOPE_REQUIRED', () => true],
  ['CROSS_ORIGIN', changes],
  ['CONFLICT', changes],
  ['LIMIT_REACHED', takesKey],
  ['BODY_TOO_LARGE', ({ hasBody }) => hasBody],
  ['NOT_JSON', ({ hasBody }) => hasBody],
  ['IDEMPOTENCY_KEY_REUSED', takesKey],
  ['RATE_LIMITED', (call) => countsAsWrite(call) || call.isHeavy],
  ['INTERNAL', () => true],
  ['BUSY', () => true],
  ['DATABASE_UNAVAILABLE', () => true],
];

export const refusalSchemas = {
  refusal: z
    .object({
      code: refusalCode.meta({
        id: 'RefusalCode',
        description: 'The reason, for programs. Codes are stable; new ones can be added.',
        examples: ['VALIDATION'],
      }),
      message: z.string().meta({
        description: 'The reason as a sentence for people. The wording can change.',
        examples: ['Enter a valid email address'],
      }),
      issues: z
        .array(
          z.object({
            path: z.string().meta({
              description: 'The field, with dots between the levels. Empty when the whole input is meant.',
              examples: ['email'],
            }),
            message: z
              .string()
              .meta({ description: 'The rule that the field breaks.', examples: ['Enter a valid email address'] }),
          }),
        )
        .optional()
        .meta({ description: 'Invalid fields, where the refusal is about fields.' }),
      states: weekStates.optional().meta({
        description: 'Both states of a week that was saved elsewhere since the request read it, with `CHANGED`.',
      }),
      requestId: z
        .uuid()
        .optional()
        .meta({
          description: 'The id of the request, from status 500 on. Quote it in a report.',
          examples: ['3f0c2a4e-8d5b-4c55-9d0e-4b1d2f6a7c10'],
        }),
    })
    .meta({ id: 'Refusal', description: 'The answer to every refused request.' }),
};

const integer = { type: 'integer', minimum: 0 };

/** Headers of answers, by the name of their component. */
export const HEADERS = {
  RequestId: {
    name: 'X-Request-Id',
    description: "The id of the request, which is also in the server's log.",
    schema: { type: 'string', format: 'uuid' },
    example: '3f0c2a4e-8d5b-4c55-9d0e-4b1d2f6a7c10',
  },
  RetryAfter: {
    name: 'Retry-After',
    description: 'Seconds to wait before the request is sent again.',
    schema: integer,
    example: 30,
  },
  Authenticate: {
    name: 'WWW-Authenticate',
    description: 'How to sign in: by an access token.',
    schema: { type: 'string' },
    example: 'Bearer realm="Marshal"',
  },
  RateLimitLimit: {
    name: 'RateLimit-Limit',
    description: 'Writes that the account may make per minute.',
    schema: integer,
    example: 120,
  },
  RateLimitRemaining: {
    name: 'RateLimit-Remaining',
    description: 'Writes that are left in this minute.',
    schema: integer,
    example: 117,
  },
  RateLimitReset: {
    name: 'RateLimit-Reset',
    description: 'Seconds until the count starts again.',
    schema: integer,
    example: 42,
  },
  ETag: {
    name: 'ETag',
    description: 'The version of the answer, to send as `If-None-Match` next time.',
    schema: { type: 'string' },
    example: 'W/"1f-8Zk2"',
  },
  Location: {
    name: 'Location',
    description: 'The address of the new object, or of the page to go to.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/v1/admin/missions/0192c0de-7a11-7c3e-9d21-5f0e8a4b6c01',
  },
  Link: {
    name: 'Link',
    description: 'Addresses of the `first`, `prev`, `next` and `last` page, as far as they exist (RFC 8288).',
    schema: { type: 'string' },
    example: '</api/v1/admin/users?page=3>; rel="next"',
  },
  SetCookie: {
    name: 'Set-Cookie',
    description: 'The session cookie, or one that deletes it.',
    schema: { type: 'string' },
    example: 'session=q2xv7m3k; HttpOnly; Path=/; SameSite=Lax',
  },
} as const;
type HeaderName = keyof typeof HEADERS;

export const headerRefs = (names: readonly HeaderName[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [HEADERS[name].name, { $ref: `#/components/headers/${name}` }]));

const RATE_HEADERS = ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'] as const;

/** Headers of a successful answer. @param isPage when the answer is one page of several */
export function successHeaders(
  call: CallFacts,
  { isPage, setsCookie }: { isPage: boolean; setsCookie: boolean },
): JsonSchema {
  return headerRefs([
    'RequestId',
    ...(changes(call) ? [] : (['ETag'] as const)),
    ...(call.creates ? (['Location'] as const) : []),
    ...(isPage ? (['Link'] as const) : []),
    ...(countsAsWrite(call) ? RATE_HEADERS : []),
    ...(setsCookie ? (['SetCookie'] as const) : []),
  ]);
}

const pascal = (code: string) =>
  code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');

function refusalAnswer(status: number, codes: readonly RefusalCode[], isWrite: boolean): JsonSchema {
  const meanings = codes.map((code) => `\`${code}\`: ${REFUSALS[code][1]}`);
  const retry = status === 429 || status === 503 ? (['RetryAfter'] as const) : [];
  const how = status === 401 ? (['Authenticate'] as const) : [];
  const rate = status === 429 && isWrite ? RATE_HEADERS : [];
  return {
    description: meanings.length === 1 ? String(meanings[0]) : meanings.map((meaning) => `- ${meaning}`).join('\n'),
    headers: headerRefs(['RequestId', ...how, ...retry, ...rate]),
    content: {
      'application/json': {
        schema: {
          allOf: [
            refTo('Refusal'),
            {
              type: 'object',
              required: ['code'],
              properties: { code: { type: 'string', enum: codes, description: 'The reason.' } },
            },
          ],
        },
      },
    },
  };
}

/** Codes that a call can answer: the common ones that its facts allow, and its own. */
export function refusalsOf(call: CallFacts, specific: readonly RefusalCode[]): RefusalCode[] {
  const possible = new Set<RefusalCode>([
    ...COMMON.filter(([, isPossible]) => isPossible(call)).map(([code]) => code),
    ...specific,
  ]);
  return refusalCode.options.filter((code) => possible.has(code));
}

/** Responses of the document: those that several calls share become components. */
export interface RefusalAnswers {
  /** responses by status */
  of(call: CallFacts, specific: readonly RefusalCode[]): Record<string, JsonSchema>;
  /** the shared ones, by name; complete after the last call of `of` */
  components(): Record<string, JsonSchema>;
}

export function createRefusalAnswers(): RefusalAnswers {
  const shared = new Map<string, JsonSchema>();
  return {
    of(call, specific) {
      const common = refusalsOf(call, []);
      const byStatus = Map.groupBy(refusalsOf(call, specific), (code) => REFUSALS[code][0]);
      return Object.fromEntries(
        [...byStatus].map(([status, codes]) => {
          const answer = refusalAnswer(status, codes, countsAsWrite(call));
          if (codes.some((code) => !common.includes(code))) return [status, answer];
          const name = codes.map(pascal).join('Or');
          shared.set(name, answer);
          return [status, { $ref: `#/components/responses/${name}` }];
        }),
      );
    },
    components: () => Object.fromEntries([...shared].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}
