/** What an installation makes for itself once and keeps: keys that no person types in. */
import { query, sql } from '#server/schema/query.ts';
import type { Em } from '#server/schema/orm.ts';

/**
 * A secret of the installation by its name, made when it is asked for first. Whichever replica comes first makes it;
 * all of them read the same.
 */
export async function readSecret(
  em: Em,
  name: string,
  make: () => Record<string, string>,
): Promise<Record<string, string>> {
  const read = () =>
    query<{ value: Record<string, string> }>(em, sql`select value from server_secret where name = ${name}`);
  const [known] = await read();
  if (known) return known.value;
  await query(
    em,
    sql`insert into server_secret (name, value, created_at) values (${name}, ${JSON.stringify(make())}::jsonb, now())
        on conflict (name) do nothing`,
  );
  const [made] = await read();
  if (!made) throw new Error(`The secret ${name} was not kept`);
  return made.value;
}
