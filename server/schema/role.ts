/** Rights of the database role that Marshal connects as. */
import { db } from './database.ts';
import type { Em } from './orm.ts';

/** The sentence about a role that may do everything in the whole server, for the log and `marshal doctor`. */
export const SUPERUSER =
  'The role that Marshal connects as is a superuser, which Marshal does not need: give the database a role of its own, as docker/README.md says under "The role in the database".';

/** True if the role may do everything in the whole server, and not only in the database that it owns. */
export async function isSuperuser(em: Em): Promise<boolean> {
  const { answer } = await db(em)
    .selectNoFrom(({ fn, val }) => fn<string>('current_setting', [val('is_superuser')]).as('answer'))
    .executeTakeFirstOrThrow();
  return answer === 'on';
}
