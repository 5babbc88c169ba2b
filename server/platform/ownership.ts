/** Ownership caps: limits on the rows of an account, so that reading them never slows down other requests. */
import type { SelectQueryBuilder } from 'kysely';
import { countRows, type Database } from '#server/schema/database.ts';
import { AppError } from './errors.ts';
import { OWNED_MAX } from '#shared/limits.ts';

/** The refusal for each cap. */
const SENTENCES = {
  templates: `An account can have at most ${OWNED_MAX.templates} availability templates. Please change one of them instead.`,
  overrides: `An account can have at most ${OWNED_MAX.overrides} dated exceptions. Please remove some first.`,
  busyCalendars: `An account can have at most ${OWNED_MAX.busyCalendars} busy calendars. Please remove one first.`,
  pushDevices: `An account can be notified on at most ${OWNED_MAX.pushDevices} devices. Please remove one first.`,
  tokens: `An account can have at most ${OWNED_MAX.tokens} access tokens. Please revoke one first.`,
  passkeys: `An account can have at most ${OWNED_MAX.passkeys} passkeys. Please remove one first.`,
  drafts: `An admin can have at most ${OWNED_MAX.drafts} upcoming drafts. Please publish or cancel some first.`,
  missions: `An admin can have at most ${OWNED_MAX.missions} upcoming missions. Please cancel some first.`,
  idempotencyKeys: `At most ${OWNED_MAX.idempotencyKeys} Idempotency-Keys can be used within 24 hours. Please send the request without one.`,
  swaps: `The seat of one order can be offered for a swap at most ${OWNED_MAX.swaps} times. Please ask an admin to move you.`,
  orders: `A pilot can have at most ${OWNED_MAX.orders} frag orders for one mission. Please assign another pilot.`,
  comments: `A pilot can write at most ${OWNED_MAX.comments} comments on one mission. Please delete some first.`,
  invites: `There can be at most ${OWNED_MAX.invites} open invites. Please revoke one first.`,
  missionFiles: `An admin can have at most ${OWNED_MAX.missionFiles} mission files that no mission has. They are removed after a day.`,
  communityMessages: `At most ${OWNED_MAX.communityMessages} messages can be sent within 24 hours. Please wait until the oldest is a day old.`,
  bans: `There can be at most ${OWNED_MAX.bans} bans. Please lift some first.`,
  missionTemplates: `There can be at most ${OWNED_MAX.missionTemplates} mission templates. Please delete some first.`,
  series: `There can be at most ${OWNED_MAX.series} series. Please end some first.`,
  webhooks: `Marshal can have at most ${OWNED_MAX.webhooks} webhooks. Please delete one first.`,
  aircraft: `A community can have at most ${OWNED_MAX.aircraft} aircraft types of its own. Please delete one first.`,
} satisfies Partial<Record<keyof typeof OWNED_MAX, string>>;

/** 409 unless there is room for `adding` more. */
export function refuseBeyondCap(cap: keyof typeof SENTENCES, owned: number, adding: number): void {
  if (owned + adding > OWNED_MAX[cap]) throw new AppError('LIMIT_REACHED', SENTENCES[cap]);
}

/**
 * Count the rows that are owned; 409 if adding more would exceed the cap. Call it in the transaction that adds them, with
 * their owner locked: otherwise parallel calls could exceed the cap together.
 * @param owned a query for the rows, without columns
 */
export async function requireRoom<Table extends keyof Database>(
  cap: keyof typeof SENTENCES,
  owned: SelectQueryBuilder<Database, Table, object>,
  { adding = 1 } = {},
): Promise<void> {
  const { count } = await owned.select(countRows().as('count')).executeTakeFirstOrThrow();
  refuseBeyondCap(cap, count, adding);
}
