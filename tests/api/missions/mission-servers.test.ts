/** The Discord servers that show a mission. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenGuild } from '#tests/harness/guilds.ts';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { editMission, loadMission } from '#tests/harness/mission-edits.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const [ONE, OTHER, UNKNOWN] = ['700600500400300100', '700600500400300200', '700600500400300900'] as const;

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  await givenGuild(service, ONE, { name: 'Lantern Wing' });
  await givenGuild(service, OTHER, { name: 'Quiet Harbour' });
});
afterAll(() => service.stop());

const times = { startLocal: hoursFromNow(40), endLocal: hoursFromNow(42) };
const read = async (id: string) => (await loadMission(admin, id)).guildIds;
const edit = (id: string, guildIds: unknown) => editMission(admin, id, { guildIds });

test('a mission is for all servers unless it names some, and an edit changes that without asking anybody', async () => {
  const { mission } = await givenMission(service, admin, times);
  expect(await read(mission.id)).toBeNull();
  const { status, body } = await edit(mission.id, [OTHER, ONE, OTHER]);
  expect([status, body.askedAgain, body.told, body.freed]).toEqual([200, 0, 0, 0]);
  expect(await read(mission.id)).toEqual([ONE, OTHER]);
  expect((await edit(mission.id, [])).status).toBe(200);
  expect(await read(mission.id)).toEqual([]);
  expect((await edit(mission.id, null)).status).toBe(200);
  expect(await read(mission.id)).toBeNull();
  const { body: log } = await admin.client.call('GET', '/admin/audit');
  const edits = log.entries.filter(({ action }: { action: string }) => action === 'mission_edited');
  expect(edits.map(({ summary }: { summary: string }) => summary)).toEqual([
    'Discord servers: none to all',
    'Discord servers: Lantern Wing, Quiet Harbour to none',
    'Discord servers: all to Lantern Wing, Quiet Harbour',
  ]);
});

test('an unknown server is refused, and nothing changes', async () => {
  const { mission } = await givenMission(service, admin, { ...times, guildIds: [ONE] });
  const refused = await edit(mission.id, [ONE, UNKNOWN]);
  expect([refused.status, refused.body.code]).toEqual([404, 'GUILD_NOT_FOUND']);
  expect(await read(mission.id)).toEqual([ONE]);
  const request = {
    name: 'Op Nowhere',
    theater: 'Syria',
    ...times,
    timeZone: 'UTC',
    aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
  };
  const created = await admin.client.call('POST', '/admin/missions', { ...request, guildIds: [UNKNOWN] });
  expect([created.status, created.body.code]).toEqual([404, 'GUILD_NOT_FOUND']);
  expect((await edit(mission.id, 'all')).status).toBe(400);
});
