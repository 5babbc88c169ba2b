/** The community on the join page of an invite: its number of pilots and its next mission. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenMission, hoursFromNow } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('an open invite shows the next mission and how many fly here', async () => {
  const admin = await givenAdmin(service);
  const made = (await admin.client.call('POST', '/admin/invites', { name: 'Recruits' })).body;
  const read = async () => {
    const path = `/auth/registration?invite=${made.url.split('/').at(-1)}`;
    return (await createClient(service).call('GET', path)).body;
  };
  expect((await read()).preview).toEqual({ pilots: expect.any(Number), next: null });
  const times = (hours: number) => ({ startLocal: hoursFromNow(hours), endLocal: hoursFromNow(hours + 2) });
  const slots = { aircraftSlots: [{ aircraftId: 2, slotCount: 3, side: 0 as const, notes: 'CAP' as const }] };
  await givenMission(service, admin, { name: 'Op Later', ...times(60), ...slots });
  const { mission } = await givenMission(service, admin, { name: 'Op Next', ...times(40), ...slots });
  await givenMission(service, admin, { name: 'Op Draft', ...times(20), ...slots, publish: false });
  const [active] = await query<{ pilots: number }>(
    service.app.orm.em.fork(),
    sql`select count(*)::int as pilots from app_user where 'user' = any(roles)`,
  );
  const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  expect((await read()).preview).toEqual({
    pilots: active?.pilots,
    next: { name: 'Op Next', theater: body.theater, startUtc: body.startUtc, openSeats: 3 },
  });
  await admin.client.call('POST', `/admin/invites/${made.id}/revoke`);
  const { invite, preview } = await read();
  expect([invite.problem, preview]).toEqual(['This invite has been withdrawn. Please ask for a new one.', null]);
});
