/** The sign-in history of an account, from the audit log: sign-ins, refused attempts, and changes of its second factor. */
import { ago, db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { addressBucket } from '#server/platform/attempts.ts';
import { SIGN_IN_AUDIT_DAYS, SIGN_IN_HISTORY_MAX } from '#shared/limits.ts';
import type { SignInHistoryDto } from '#shared/schemas/second-factor.ts';
import { AUDIT_ACTIONS, SECOND_FACTOR_ACTIONS, SIGN_IN_ACTIONS } from '#shared/vocabulary.ts';
import { auditWords, isByCommandLine } from './rules/audit-text.ts';

const LISTED = [...SIGN_IN_ACTIONS, ...SECOND_FACTOR_ACTIONS];
const NO_NAMES = { aircraft: () => undefined, pilot: () => undefined };

/** The address as limits treat it: of IPv6 only the network. */
function shorten(address: unknown): string | null {
  if (typeof address !== 'string' || address === '') return null;
  const network = addressBucket(address).replace(/^address:/, '');
  return network.includes(':') ? `${network}::/64` : network;
}

/** The latest entries of an account, the newest first. */
export async function readSignInHistory(em: Em, userId: string): Promise<SignInHistoryDto> {
  const rows = await db(em)
    .selectFrom('audit_entry')
    .select(({ ref }) => ['id', 'action', 'actor_id as actorId', 'detail', ms(ref('occurred_at')).as('occurredMs')])
    .where('subject_type', '=', 'user')
    .where('subject_id', '=', userId)
    .where(isOneOf('action', LISTED))
    .where('occurred_at', '>', ago(`${SIGN_IN_AUDIT_DAYS} days`))
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SIGN_IN_HISTORY_MAX)
    .execute();
  return rows.flatMap(({ id, action: stored, actorId, detail, occurredMs }) => {
    const action = AUDIT_ACTIONS.find((known) => known === stored);
    if (action === undefined) return [];
    const { isNew, address } = detail;
    return [
      {
        id,
        occurredAt: new Date(occurredMs).toISOString(),
        action,
        text: auditWords(action, { ...detail, address: shorten(address) }, NO_NAMES),
        isNewDevice: isNew === true,
        isByAnother: isByCommandLine(detail) || (actorId !== null && actorId !== userId),
      },
    ];
  });
}
