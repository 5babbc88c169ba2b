/** Look-alike call signs: found by a stored skeleton, which every writer of call signs leaves right. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findLookAlikes, storeNewLooks } from '#server/accounts/look-alikes.ts';
import { lookOf } from '#server/accounts/rules/look-alike.ts';
import { query, sql } from '#server/schema/query.ts';
import { LOOK_ALIKES_SHOWN } from '#shared/limits.ts';
import { givenPerson } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const em = () => service.app.orm.em.fork();
const alikeOf = async (id: string, displayName: string): Promise<string[]> =>
  (await findLookAlikes(em(), [{ id, displayName }])).get(id) ?? [];

test('a call sign that any writer has changed is compared by its new look', async () => {
  const viper = await givenPerson(service, { displayName: 'Viper' });
  const other = await givenPerson(service, { displayName: 'Hawk' });
  expect(await alikeOf(viper.id, 'Viper')).toEqual([]);
  // Cyrillic і and р, by a statement that knows of no look
  await query(em(), sql`update app_user set display_name = 'Vіреr' where id = ${other.id}`);
  expect(await alikeOf(viper.id, 'Viper')).toEqual(['Vіреr']);
  await storeNewLooks(em());
  expect(await alikeOf(viper.id, 'Viper')).toEqual(['Vіреr']);
  await query(em(), sql`update app_user set display_name = 'Hawk', look = 'viper' where id = ${other.id}`);
  expect(await alikeOf(viper.id, 'Viper')).toEqual([]);
  await storeNewLooks(em());
  const rows = await query(em(), sql<{ name: string; look: string }>`select display_name as name, look from app_user`);
  for (const { name, look } of rows) expect(look, name).toBe(lookOf(name));
});

test('accounts that are no active pilots are not compared, and many are named up to the limit, the oldest first', async () => {
  const raven = await givenPerson(service, { displayName: 'Raven' });
  const many: string[] = [];
  for (let number = 0; number <= LOOK_ALIKES_SHOWN; number += 1) {
    const name = `R${'-'.repeat(number + 1)}aven`;
    many.push(name);
    await givenPerson(service, { displayName: name });
  }
  const [first = ''] = many;
  await query(em(), sql`update app_user set roles = '{}' where display_name = ${first}`);
  const expected = many.slice(1, 1 + LOOK_ALIKES_SHOWN);
  expect(await alikeOf(raven.id, 'Raven')).toEqual(expected);
  await storeNewLooks(em());
  expect(await alikeOf(raven.id, 'Raven')).toEqual(expected);
});

test('several processes store new looks at a time without waiting for each other', async () => {
  const jester = await givenPerson(service, { displayName: 'Jester' });
  await givenPerson(service, { displayName: 'J e s t e r' });
  await query(em(), sql`update app_user set look = null`);
  await Promise.all(Array.from({ length: 8 }, () => storeNewLooks(em())));
  await storeNewLooks(em());
  expect(await query(em(), sql`select id from app_user where look is null`)).toEqual([]);
  expect(await alikeOf(jester.id, 'Jester')).toEqual(['J e s t e r']);
});
