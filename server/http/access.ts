/**
 * What a call gives access to, as its `.meta()` says: every mutation decides, and the guards read it. An access token must not
 * lead to further access, and a session that was left open must not lead to access that outlasts it.
 *
 * Access is whatever lets somebody act as an account, or read as one, after the call: the role admin, invites for admins,
 * passwords, tokens, links, Discord accounts, devices, calendar links, Discord servers that may show missions. A new pilot's account is not: registration, invites and
 * approval make them, and a token with the scope admin may do the same. Neither is a webhook: it posts events of the
 * community, stands in the list and the audit log of the admins, and lets nobody in.
 */
import type { z } from 'zod';
import { requireFreshSession, type RequireFresh } from '#server/accounts/fresh-session.ts';
import type { Em } from '#server/schema/orm.ts';
import type { RequestContext } from './context.ts';

/** `true` for an input with which the call gives access. */
type GivesAccess = (input: unknown) => boolean;

/**
 * - `none`: gives nobody access; an access token with the scope for the call will do
 * - `session`: concerns the caller's own keys and addresses; not for access tokens
 * - `fresh`: gives access to others, or makes a key that outlasts the session: needs a fresh session
 * - `rows`: only the stored rows tell; the procedure asks for a fresh session with `freshSessionOf`
 * - a function: as `fresh` for some inputs, and as `none` for the others
 */
export type Access = 'none' | 'session' | 'fresh' | 'rows' | GivesAccess;

/** `.meta(noAccess)` */
export const noAccess = { access: 'none' } as const;

/** `.meta(sessionOnly)`: not for access tokens. */
export const sessionOnly = { access: 'session' } as const;

/** `.meta(freshSession)`: only soon after a sign-in. */
export const freshSession = { access: 'fresh' } as const;

/** `.meta(freshSessionByRow)`: the procedure decides, and asks with `freshSessionOf`. */
export const freshSessionByRow = { access: 'rows' } as const;

/** `.meta(freshSessionIf(schema, gives))`: only soon after a sign-in for some inputs. Invalid input is left to the schema. */
export function freshSessionIf<Schema extends z.ZodType>(
  schema: Schema,
  gives: (input: z.output<Schema>) => boolean,
): { access: GivesAccess } {
  return {
    access: (input) => {
      const parsed = schema.safeParse(input);
      return parsed.success && gives(parsed.data);
    },
  };
}

type Caller = Pick<RequestContext, 'token' | 'sessionToken' | 'now'>;

/** The check of a call that finds out from rows whether it gives access. */
export const freshSessionOf =
  (caller: Caller): RequireFresh =>
  (em, ofToken) =>
    requireFreshSession(em, caller, ofToken);

/**
 * Refuse a caller without a fresh session where the call needs one.
 * @param readInput the input as it was sent
 */
export async function requireFreshFor(
  caller: Caller & { em: Em },
  access: Access | undefined,
  readInput: () => Promise<unknown>,
): Promise<void> {
  if (access === 'fresh' || (typeof access === 'function' && access(await readInput())))
    await requireFreshSession(caller.em, caller);
}
