/** Mission templates: saving, reading, renaming, overwriting, deleting, and missions made from them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service, 'Europe/Berlin');
});
afterAll(() => service.stop());

let count = 0;
/** A mission of two flights with details of its own. */
async function givenPlanned() {
  count += 1;
  const { mission } = await givenMission(service, admin, {
    name: `Op Planned ${count}`,
    startLocal: hoursFromNow(100 + 10 * count),
    endLocal: hoursFromNow(103 + 10 * count),
    notes: 'Brief on channel 3',
    links: [{ kind: 'chart' as const, title: 'Charts', url: 'https://charts.example.org/' }],
    guildIds: [],
    publish: false,
    aircraftSlots: [
      { aircraftId: 2, slotCount: 4, side: 0, notes: 'SEAD', additionalNotes: 'Bring four HARM' },
      { aircraftId: 4, slotCount: 2, side: 1, notes: 'CAP' },
    ],
  });
  const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  const [blue] = body.packages;
  const edit = {
    flights: [
      { id: blue.flights[0].id, callsign: `Reaper ${count}`, launchMinutes: 50, radioFreq: `25${count % 10}.125` },
    ],
    packages: [{ id: blue.id, callsign: 'HAMMER', objective: 'Bridge at DT 45 12' }],
  };
  const edited = await admin.client.call('PUT', `/admin/missions/${mission.id}`, edit);
  expect(edited.status).toBe(200);
  return { id: mission.id, name: mission.name, callsign: `Reaper ${count}`, radio: `25${count % 10}.125 AM` };
}

async function save(missionId: string): Promise<{ id: string; name: string }> {
  const name = `Evening ${(count += 1)}`;
  const { status, body } = await admin.client.call('POST', '/admin/mission-templates', { name, missionId });
  expect(status).toBe(201);
  return { id: body.id, name };
}
const read = async (id: string) => (await admin.client.call('GET', `/admin/mission-templates/${id}`)).body;

test('keeps everything of a mission but its date', async () => {
  const mission = await givenPlanned();
  const { id, name } = await save(mission.id);
  expect(await read(id)).toMatchObject({
    id,
    name,
    isStarter: false,
    missionName: mission.name,
    theater: 'Syria',
    seats: 6,
    minutes: 180,
    timeZone: 'UTC',
    notes: 'Brief on channel 3',
    links: [{ kind: 'chart' as const, title: 'Charts', url: 'https://charts.example.org/' }],
    guildIds: [],
    aircraftSlots: [
      { aircraftId: 2, slotCount: 4, side: 0, notes: 'SEAD', additionalNotes: 'Bring four HARM' },
      { aircraftId: 4, slotCount: 2, side: 1, notes: 'CAP', additionalNotes: null },
    ],
    missingAircraft: [],
    createdByName: 'Ops',
  });
});

test('is part of the data that its creator can download', async () => {
  const { name } = await save((await givenPlanned()).id);
  await admin.client.call('POST', '/admin/series', { templateId: 'starter-flag', firstDate: '2098-01-01' });
  const { body } = await admin.client.call('GET', '/auth/data.json');
  expect(body.missions.templatesSaved).toContainEqual({ name, createdAt: expect.any(String) });
  expect(body.missions.seriesMade).toEqual([
    { name: '8v8 capture the flag', firstDate: '2098-01-01', createdAt: expect.any(String) },
  ]);
});

test('a mission from a template takes callsigns, frequencies, times and objectives; those in use are replaced', async () => {
  const mission = await givenPlanned();
  const { id } = await save(mission.id);
  const create = async (hours: number) => {
    const made = await givenMission(service, admin, {
      startLocal: hoursFromNow(hours),
      endLocal: hoursFromNow(hours + 3),
      publish: false,
      templateId: id,
      aircraftSlots: [
        { aircraftId: 2, slotCount: 4, side: 0, notes: 'SEAD' },
        { aircraftId: 4, slotCount: 2, side: 1, notes: 'CAP' },
      ],
    });
    return (await admin.client.call('GET', `/admin/missions/${made.mission.id}`)).body;
  };
  const first = await create(900);
  expect(first.packages[0]).toMatchObject({ callsign: 'HAMMER', objective: 'Bridge at DT 45 12' });
  expect(first.packages[0].flights[0]).toMatchObject({
    callsign: mission.callsign,
    radioFreq: mission.radio,
    launchMinutes: 50,
    launchUtc: new Date(Date.parse(first.startUtc) + 50 * 60_000).toISOString(),
  });
  const second = await create(901);
  const [flight] = second.packages[0].flights;
  expect(flight.callsign).not.toBe(mission.callsign);
  expect(flight.radioFreq).not.toBe(mission.radio);
  expect(flight.launchMinutes).toBe(50);
});

test('is renamed, overwritten and deleted; a name is used once', async () => {
  const [one, other] = [await givenPlanned(), await givenPlanned()];
  const { id } = await save(one.id);
  const { name } = await save(other.id);
  const taken = await admin.client.call('PUT', `/admin/mission-templates/${id}`, { name: name.toUpperCase() });
  expect([taken.status, taken.body.code]).toEqual([409, 'TEMPLATE_NAME_TAKEN']);
  const path = `/admin/mission-templates/${id}`;
  expect((await admin.client.call('PUT', path, { name: 'Thursday', missionId: other.id })).status).toBe(200);
  expect(await read(id)).toMatchObject({ name: 'Thursday', missionName: other.name });
  expect((await admin.client.call('DELETE', path)).status).toBe(200);
  expect((await admin.client.call('GET', path)).status).toBe(404);
  const { body } = await admin.client.call('GET', `/admin/audit?subjectId=${id}`);
  const told = body.entries.map(({ action, summary }: { action: string; summary: string }) => [action, summary]);
  expect(told).toEqual([
    ['mission_template_deleted', 'Deleted the mission template'],
    ['mission_template_changed', expect.stringMatching(/^Renamed the mission template from “Evening/)],
    ['mission_template_saved', 'Saved the mission template'],
  ]);
});

test('starters come with the offered aircraft; one that is switched off is named, and another one taken', async () => {
  const list = (await admin.client.call('GET', '/admin/mission-templates')).body;
  const starters = list.filter(({ isStarter }: { isStarter: boolean }) => isStarter);
  expect(starters.map(({ name }: { name: string }) => name)).toEqual([
    '4-ship training',
    '8v8 capture the flag',
    'Strike night ops',
  ]);
  const offer = (ids: number[], isOffered: boolean) =>
    admin.client.call('PUT', '/admin/aircraft/offered', { ids, active: isOffered });
  const before = await read('starter-training');
  expect(before).toMatchObject({ timeZone: 'Europe/Berlin', aircraftSlots: [{ aircraftId: 2, slotCount: 4 }] });
  expect((await offer([2], false)).status).toBe(200);
  expect(await read('starter-training')).toMatchObject({ aircraftSlots: [{ aircraftId: 1 }], missingAircraft: [] });
  // aircraft of a saved template are not exchanged
  await offer([2], true);
  const { id } = await save((await givenPlanned()).id);
  await offer([2], false);
  expect(await read(id)).toMatchObject({ aircraftSlots: [{ aircraftId: 4 }], missingAircraft: ['F-16C Viper'] });
  await offer([2], true);
});

test('an installation holds 2,000 templates, also under parallel calls', async () => {
  const mission = await givenPlanned();
  await query(
    service.app.orm.em.fork(),
    sql`insert into mission_template (id, name, theater, seats, content, created_by_id, created_at, updated_at)
        select gen_random_uuid(), 'Filler ' || n, 'Syria', 2, '{}', ${admin.id}, now(), now()
        from generate_series((select count(*)::int from mission_template), 1997) as n`,
  );
  const calls = Array.from({ length: 5 }, (_, index) =>
    admin.client.call('POST', '/admin/mission-templates', { name: `Last ${index}`, missionId: mission.id }),
  );
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
    'There can be at most 2000 mission templates. Please delete some first.',
  );
});
