/** The time when accounts were last seen, of many who come at once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteSeen } from '#server/accounts/last-seen.ts';
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { emOf } from '#tests/harness/cast.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask } from '#tests/harness/transports.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** The accounts that were seen, with the transactions that wrote it. */
const readSeen = (ids: readonly string[]) =>
  query<{ id: string; age: number; tx: string }>(
    emOf(service),
    sql`select user_id as id, extract(epoch from now() - seen_at)::float8 as age, xmin::text as tx
        from last_seen where user_id = any(${ids}::uuid[]) order by user_id`,
  );

test('200 pilots who call at once are all recorded before they have their answers', async () => {
  const pilots = await givenCrowd(service, 200);
  const replies = await Promise.all(
    pilots.map(({ cookie }) => ask(service, 'rest', 'pilot.inboxStatus', undefined, cookie)),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const seen = await readSeen(pilots.map(({ id }) => id));
  expect(seen.map(({ id }) => id)).toEqual(pilots.map(({ id }) => id).toSorted());
  for (const { age } of seen) expect(age).toBeLessThan(60);
});

test('those who come together are recorded by one statement', async () => {
  const ids = (await givenCrowd(service, 200)).map(({ id }) => id);
  await Promise.all(ids.map((id) => noteSeen(service.app.orm.em, id, new Date())));
  const seen = await readSeen(ids);
  expect(seen).toHaveLength(200);
  expect(new Set(seen.map(({ tx }) => tx)).size).toBe(1);
});

test('an account that was deleted meanwhile does not keep the others from being recorded', async () => {
  const pilots = await givenCrowd(service, 3);
  const ids = [...pilots.map(({ id }) => id), newId()];
  await Promise.all(ids.map((id) => noteSeen(service.app.orm.em, id, new Date())));
  expect(await readSeen(ids)).toHaveLength(3);
});
