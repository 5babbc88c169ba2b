/** Documentation of the calls for personal access tokens. */
import type { OperationDocs, ProcedureName } from './docs.ts';

export const TOKEN_DOCS = {
  'tokens.list': {
    id: 'listTokens',
    tag: 'Tokens',
    summary: "List a user's access tokens",
    description: 'Tokens that have not expired, without their secrets.',
    answer: 'The tokens, newest first.',
    refusals: ['USER_NOT_FOUND'],
  },
  'tokens.create': {
    id: 'createToken',
    tag: 'Tokens',
    summary: 'Make an access token',
    description:
      'Users make tokens only for themselves. The answer holds the secret, which cannot be read again. An account can have 10 tokens.',
    refusals: ['USER_NOT_FOUND', 'ADMINS_ONLY', 'LIMIT_REACHED'],
  },
  'tokens.revoke': {
    id: 'revokeToken',
    tag: 'Tokens',
    summary: 'Revoke an access token',
    description: 'The token stops working at once, and event streams opened with it end.',
    refusals: ['USER_NOT_FOUND', 'TOKEN_NOT_FOUND'],
  },
} as const satisfies Record<Extract<ProcedureName, `tokens.${string}`>, OperationDocs>;
