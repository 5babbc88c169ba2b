/** The part of the OpenAPI document that concerns all calls: the introduction, the ways to sign in, headers of requests. */
import type { TokenScope } from '#shared/vocabulary.ts';

const SCOPES: Record<TokenScope, string> = {
  read: "read the owner's own data, and everything that every pilot can read",
  pilot: "change the owner's own data: status, availability, answers to orders, seats",
  admin: "admins' calls, and other users' data, as long as the token's owner is an admin",
  server:
    'for a game server: read the slots of current missions, both sides, and nothing else; only admins make it, without other scopes',
};

/** Before the calls: times, ids, refusals. */
export const INTRODUCTION = `Marshal schedules missions for flight-simulation communities and seats their pilots.

Pilots say when they can fly. An admin plans a mission, Marshal chooses pilots for its seats and issues frag orders, and the pilots answer them.

**Times.** \`…Utc\` are instants in UTC (ISO 8601 with \`Z\`). \`…Local\` are wall times in the time zone that the answer names. Dates are \`YYYY-MM-DD\`, wall times \`HH:mm\`.

**Ids** are strings, except the ids of aircraft, which are numbers.

**Refusals** have a \`code\` for programs and a \`message\` for people, whose wording can change. Each response lists its codes.

**Unknown properties** in requests are ignored. Answers can gain properties, and lists of codes can gain codes.`;

const scopeList = Object.entries(SCOPES)
  .map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)
  .join('\n');

/** The ways to sign in, with the scopes of access tokens. */
export const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description:
      'The cookie that `login` sets. Its name is `__Host-session` on https. Writes with a cookie must come from the site itself, so programs outside a browser use a token.',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description: `A personal access token from the profile, as \`Authorization: Bearer mrsh_…\`. A token never exceeds the role of its owner, and gives nobody further access: it makes no admins, tokens or links. Its scopes:\n\n${scopeList}`,
  },
};

/** Headers that a request may have. They have no examples, because the API reference would fill them in and send them. */
export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A key of your choice, such as a UUID, for one thing to do. The same request with the same key within 24 hours is answered again without doing anything.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of an answer that you still have: 304 without a body if it is up to date.',
    schema: { type: 'string' },
  },
};
