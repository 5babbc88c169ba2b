/** Email about the safety of an account: a sign-in from a new device, a second factor that was turned off or reset. */
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { formatZulu, formatDate } from '#shared/clock.ts';
import { panelPath } from '#shared/profile-sections.ts';
import type { ClaimedMail } from './mail-channel.ts';
import type { Letter } from './rules/letter.ts';
import { securityLetter } from './rules/account-letters.ts';

const KINDS = ['signed_in', 'second_factor_off', 'second_factor_reset'] as const;

/** @returns null when the audit entry that it tells is gone */
export async function composeSecurityMail(
  em: Em,
  reader: { publicUrl: string; name: string | null; community: string },
  { subjectId }: Pick<ClaimedMail, 'subjectId'>,
): Promise<Letter | null> {
  if (subjectId === null) return null;
  const entry = await db(em)
    .selectFrom('audit_entry')
    .select(({ ref }) => ['action', 'detail', ms(ref('occurred_at')).as('occurredMs')])
    .where('id', '=', subjectId)
    .executeTakeFirst();
  const news = KINDS.find((kind) => kind === entry?.action);
  if (!entry || news === undefined) return null;
  const { device, address } = entry.detail;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return securityLetter({
    ...reader,
    url: `${reader.publicUrl}${panelPath('sign-ins')}`,
    news,
    time: `${formatDate(entry.occurredMs, 'UTC')}, ${formatZulu(entry.occurredMs)}`,
    device: text(device),
    address: text(address),
  });
}
