/** Webhooks as admins manage them: list, create, change, delete, rotate the secret. */
import { randomBytes } from 'node:crypto';
import { resumeWebhook, WAITING } from '#server/signals/outbox.ts';
import { type AddressRules, findUrlProblem } from '#server/platform/checked-hosts.ts';
import { AppError } from '#server/platform/errors.ts';
import { type KeyedCaller, onceFor } from '#server/platform/idempotency.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { newId } from '#server/schema/base.ts';
import { countRows, db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { HOUR_MS, toIso } from '#server/time/time.ts';
import { WEBHOOKS } from '#shared/limits.ts';
import type {
  CreatedWebhookDto,
  CreateWebhookInput,
  UpdateWebhookInput,
  WebhookDto,
} from '#shared/schemas/webhooks.ts';
import { WEBHOOK_EVENT_NAMES } from '#shared/webhook-events.ts';

const isoOrNull = (instant: number | null) => (instant === null ? null : toIso(instant));

/** Selects webhooks `w` as admins see them, without their secrets. */
const selectWebhooks = (em: Em) =>
  db(em)
    .selectFrom('webhook as w')
    .select(({ ref, selectFrom }) => [
      'w.id',
      'w.url',
      'w.description',
      'w.events',
      'w.is_enabled as enabled',
      'w.disabled_reason as disabledReason',
      ms(ref('w.failing_since')).as('failingMs'),
      ms(ref('w.previous_secret_until')).as('previousUntilMs'),
      ms(ref('w.created_at')).as('createdMs'),
      selectFrom('delivery as d')
        .select(countRows().as('waiting'))
        .whereRef('d.webhook_id', '=', 'w.id')
        .where('d.state', 'in', WAITING)
        .$asScalar()
        .$notNull()
        .as('waiting'),
    ])
    .orderBy('w.created_at')
    .orderBy('w.id');

type Row = Awaited<ReturnType<ReturnType<typeof selectWebhooks>['execute']>>[number];

function present({ failingMs, previousUntilMs, createdMs, events, ...row }: Row, now: Date): WebhookDto {
  const isOverlap = previousUntilMs !== null && previousUntilMs > now.getTime();
  return {
    ...row,
    events: WEBHOOK_EVENT_NAMES.filter((name) => events.includes(name)),
    failingSince: isoOrNull(failingMs),
    previousSecretUntil: isOverlap ? toIso(previousUntilMs) : null,
    createdAt: toIso(createdMs),
  };
}

/** All webhooks, oldest first. */
export async function listWebhooks(em: Em, now: Date): Promise<WebhookDto[]> {
  return (await selectWebhooks(em).execute()).map((row) => present(row, now));
}

/** Lock a webhook until the transaction ends. Unknown id: 404. */
export async function lockWebhook(tx: Em, id: string) {
  const row = await db(tx)
    .selectFrom('webhook')
    .select(['id', 'url', 'events', 'is_enabled as isEnabled', 'secret'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new AppError('WEBHOOK_NOT_FOUND');
  return row;
}

async function read(em: Em, id: string, now: Date): Promise<WebhookDto> {
  const row = await selectWebhooks(em).where('w.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('WEBHOOK_NOT_FOUND');
  return present(row, now);
}

/** 400 for an address that must not be called, as far as it can be told now. */
async function requireUrl(url: string, rules: AddressRules): Promise<void> {
  const problem = await findUrlProblem(url, rules);
  if (problem !== null) throw new AppError('VALIDATION', problem, { field: 'url' });
}

/** A signing secret in the form of Standard Webhooks, of 32 random bytes. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Only the host: the rest of an address may contain a key. */
const nameOf = (url: string) => new URL(url).host;

/** A webhook in events. */
const factsOf = (id: string, url: string) => ({ id, host: nameOf(url) });

/** @returns the id of the new webhook */
async function createInside(tx: Em, viewer: Viewer, input: CreateWebhookInput, now: Date): Promise<string> {
  const { url, events, description = null } = input;
  const id = newId();
  await takeLock(tx, 'webhooks');
  await requireRoom('webhooks', db(tx).selectFrom('webhook'));
  await db(tx)
    .insertInto('webhook')
    .values({
      id,
      url,
      events,
      description,
      secret: newSecret(),
      listens_since: now,
      created_by_id: viewer.id,
      created_at: now,
      updated_at: now,
    })
    .execute();
  emit(tx, { type: 'webhook.created', by: viewer, webhook: factsOf(id, url) });
  return id;
}

/**
 * Create a webhook; its secret is only returned here, and to a repetition with the same key. 400 for an address that is not
 * public, 409 for too many webhooks.
 */
export async function createWebhook(
  em: Em,
  viewer: Viewer,
  input: CreateWebhookInput,
  rules: AddressRules,
  caller: KeyedCaller,
): Promise<CreatedWebhookDto> {
  // before the transaction, because resolving a host can take seconds
  await requireUrl(input.url, rules);
  // the id is kept for a repetition, and not the secret
  const create = (tx: Em) => onceFor(tx, caller, 'webhook', input, () => createInside(tx, viewer, input, caller.now));
  const { id, secret } = await transact(em, async (tx) => lockWebhook(tx, await create(tx)));
  return { ...(await read(em, id, caller.now)), secret };
}

/** The change to a webhook in words, for the audit log; null if there is nothing to record. */
function changeWords(
  before: { url: string; events: readonly string[]; isEnabled: boolean },
  { url, events, enabled }: UpdateWebhookInput,
): string | null {
  const words = [
    ...(before.isEnabled === enabled ? [] : [enabled ? 'Enabled' : 'Paused']),
    ...(before.url === url ? [] : [`address changed from ${nameOf(before.url)} to ${nameOf(url)}`]),
    ...(before.events.join() === events.join() ? [] : [`events: ${events.join(', ')}`]),
  ].join('; ');
  return words === '' ? null : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Change a webhook. Enabling one that Marshal has disabled also sends what is still waiting. Unknown id: 404. */
export async function updateWebhook(
  em: Em,
  viewer: Viewer,
  input: UpdateWebhookInput,
  rules: AddressRules,
  now: Date,
): Promise<WebhookDto> {
  await requireUrl(input.url, rules);
  await transact(em, async (tx) => {
    const { id, url, events, enabled, description } = input;
    const before = await lockWebhook(tx, id);
    const isNewlyEnabled = enabled && !before.isEnabled;
    const listensAnew = isNewlyEnabled || before.events.join() !== events.join();
    await db(tx)
      .updateTable('webhook')
      .set({
        url,
        events,
        is_enabled: enabled,
        updated_at: now,
        ...(description !== undefined && { description }),
        ...(listensAnew && { listens_since: now }),
        ...(isNewlyEnabled && { disabled_reason: null, failing_since: null }),
      })
      .where('id', '=', id)
      .execute();
    // the new address, or the repaired one, need not wait for the retry of the old one
    if (isNewlyEnabled || before.url !== url) await resumeWebhook(tx, id, now);
    const changes = changeWords(before, input);
    emit(tx, { type: 'webhook.changed', by: viewer, webhook: factsOf(id, url), changes });
  });
  return read(em, input.id, now);
}

/** Delete a webhook with its deliveries; what is still waiting is not sent. Unknown id: 404. */
export async function deleteWebhook(em: Em, viewer: Viewer, id: string): Promise<void> {
  await transact(em, async (tx) => {
    const { url } = await lockWebhook(tx, id);
    await db(tx).deleteFrom('webhook').where('id', '=', id).execute();
    emit(tx, { type: 'webhook.deleted', by: viewer, webhook: factsOf(id, url) });
  });
}

/**
 * Give a webhook a new secret. The former one signs beside it for a day, so that receivers can change theirs without
 * losing events. Unknown id: 404.
 */
export async function rotateSecret(em: Em, viewer: Viewer, id: string, now: Date) {
  const secret = newSecret();
  const until = new Date(now.getTime() + WEBHOOKS.rotationHours * HOUR_MS);
  await transact(em, async (tx) => {
    const before = await lockWebhook(tx, id);
    await db(tx)
      .updateTable('webhook')
      .set({ secret, previous_secret: before.secret, previous_secret_until: until, updated_at: now })
      .where('id', '=', id)
      .execute();
    emit(tx, { type: 'webhook.secret_rotated', by: viewer, webhook: factsOf(id, before.url) });
  });
  return { secret, previousSecretUntil: until.toISOString() };
}
