/** Recovery codes: ten at a time, shown once, each of which works once in place of a lost second factor. */
import { randomBytes } from 'node:crypto';
import { countRows, db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { hashToken } from '#server/platform/tokens.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { emit } from '#server/signals/emit.ts';
import { RECOVERY_CODES } from '#shared/limits.ts';

/** Letters and digits that nobody confuses: no i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS = 5;

/** Random bytes as letters and digits: 10 bytes give 16 characters. */
function spell(bytes: Uint8Array): string {
  let [text, value, bits] = ['', 0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= BITS) {
      bits -= BITS;
      text += ALPHABET[(value >> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return text;
}

const grouped = (code: string): string =>
  code.match(new RegExp(`.{${RECOVERY_CODES.groupLength}}`, 'g'))?.join('-') ?? code;

/** The account is part of the hash, so that one list of hashes cannot be compared with all accounts at once. */
const hashOf = (userId: string, code: string): string => hashToken(`${userId}:${code}`);

/**
 * Make new codes in place of all old ones, in the caller's transaction, which has locked the user.
 * @returns the codes as they are shown, which are stored nowhere
 */
export async function makeRecoveryCodes(tx: Em, viewer: Pick<Viewer, 'id'>, now: Date): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES.count }, () => spell(randomBytes(RECOVERY_CODES.bytes)));
  await db(tx).deleteFrom('recovery_code').where('user_id', '=', viewer.id).execute();
  await db(tx)
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ code_hash: hashOf(viewer.id, code), user_id: viewer.id, created_at: now })))
    .execute();
  emit(tx, { type: 'recovery_codes.made', userId: viewer.id });
  return codes.map(grouped);
}

export async function countRecoveryCodes(em: Em, userId: string): Promise<number> {
  const { count } = await db(em)
    .selectFrom('recovery_code')
    .select(countRows().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Use up a code. Of two concurrent calls one succeeds. @param code 16 letters and digits @returns true if it was unused */
export async function takeRecoveryCode(tx: Em, userId: string, code: string): Promise<boolean> {
  const used = await db(tx)
    .deleteFrom('recovery_code')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(userId, code))
    .returning('user_id')
    .executeTakeFirst();
  return used !== undefined;
}
