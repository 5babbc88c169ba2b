/** Secrets that an installation generates once and keeps, such as signing keys. */
import { randomBytes } from 'node:crypto';
import { db, json } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';

/**
 * A secret of the installation by its name, generated on first use. Whichever replica comes first generates it; all of
 * them read the same value.
 */
export async function readSecret(
  em: Em,
  name: string,
  make: () => Record<string, string>,
): Promise<Record<string, string>> {
  const read = () => db(em).selectFrom('server_secret').select('value').where('name', '=', name).executeTakeFirst();
  const known = await read();
  if (known) return known.value;
  await db(em)
    .insertInto('server_secret')
    .values(({ fn }) => ({ name, value: json(make()), created_at: fn('now') }))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await read();
  if (!made) throw new Error(`The secret ${name} could not be stored`);
  return made.value;
}

/** A key that signs what this installation hands out, by its name; the same on every replica. */
export async function readSigningKey(em: Em, name: string): Promise<string> {
  const { key } = await readSecret(em, name, () => ({ key: randomBytes(32).toString('base64url') }));
  if (key === undefined) throw new Error(`The signing key ${name} is damaged`);
  return key;
}
