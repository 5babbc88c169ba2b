/**
 * An evening planned in the mission editor: an admin chooses the mission file, looks at the dry run and publishes, twelve pilots
 * accept, and the downloaded file has the same seats with the pilots' names on their units.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { createMissionFileReader } from '#server/missions/mission-file/mission-file-thread.ts';
import { givenAdmin, givenAlwaysFree, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { writeMission, type SampleGroup } from '#tests/harness/mission-file.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const GROUPS: SampleGroup[] = [
  { name: 'Viper', callsign: 'Viper', task: 'SEAD', units: [{}, {}, {}, {}] },
  { name: 'Hornet', type: 'FA-18C_hornet', callsign: 'Colt', task: 'Escort', frequency: 264, units: [{}, {}, {}, {}] },
  {
    name: 'Hind',
    side: 'red',
    kind: 'helicopter',
    type: 'Mi-24P',
    callsign: null,
    task: 'CAS',
    units: [{}, {}, {}, {}],
  },
];

let service: Service;
let admin: Person;
const reader = createMissionFileReader();

test.beforeAll(async () => {
  service = await startService({ withClient: true, withJobs: true });
  admin = await givenAdmin(service);
});
test.afterAll(async () => {
  await reader.stop();
  await service.stop();
});

/** Drags a file from outside of the browser to an element and drops it there; Playwright has no call for this. */
async function dropFile(page: Page, target: Locator, path: string): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing to drop it on');
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, data };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at });
  await session.detach();
}

test('a mission file becomes an evening, and comes back with its pilots', async ({ browser }) => {
  const pilots: Person[] = [];
  for (let index = 0; index < 12; index += 1) {
    const pilot = await givenPerson(service, { displayName: `Rook ${index + 1}` });
    await givenAlwaysFree(service, pilot.id);
    pilots.push(pilot);
  }
  const context = await browser.newContext({ baseURL: service.url, reducedMotion: 'reduce', serviceWorkers: 'block' });
  const cookies = admin.client.cookie().split('; ');
  await context.addCookies(
    cookies.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('='), url: service.url };
    }),
  );
  const page = await context.newPage();
  const file = writeMission({ sortie: 'Night of the Rooks', groups: GROUPS });

  await page.goto('/admin/missions');
  const path = join(mkdtempSync(join(tmpdir(), 'marshal-miz-')), 'rooks.miz');
  writeFileSync(path, file);
  await dropFile(page, page.getByText('Choose a .miz file, or drop it here'), path);
  await page.getByRole('button', { name: 'Fill in (12 seats)' }).click();
  await page.getByLabel('Start date').fill(hoursFromNow(48).slice(0, 10));
  await page.getByLabel('End date').fill(hoursFromNow(48).slice(0, 10));
  await expect(page.getByText('If issued now, all 12 seats fill.')).toBeVisible();
  await page.getByRole('button', { name: 'Create Mission' }).click();
  await expect(page.getByText('Mission Created Successfully!')).toBeVisible();

  for (const pilot of pilots) {
    const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
    const answer = await pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'accepted' });
    expect(answer.status).toBe(200);
  }

  await page.getByRole('link', { name: /^View missions/ }).click();
  await page.getByRole('button', { name: 'Files of Night of the Rooks' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Mission file with pilots' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toMatch(/^rooks\.marshal-[0-9a-f]{12}\.miz$/);
  const before = await reader.read(file);
  const after = await reader.read(await readFile(await download.path()));
  const seatsOf = ({ groups }: typeof before) =>
    groups.map(({ groupId, name, type, side, callsign, units }) => [
      { groupId, name, type, side, callsign },
      units.map((unit) => [unit.unitId, unit.callsign]),
    ]);
  expect(seatsOf(after)).toEqual(seatsOf(before));
  const names = after.groups.flatMap(({ units }) => units.map(({ name }) => name));
  expect(new Set(names)).toEqual(new Set(pilots.map(({ displayName }) => displayName)));
});
