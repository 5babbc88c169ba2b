/** The evening: the next seat that /home begins with, and the missions and flights on one Zulu axis. */
import { expect, test, type Page } from '@playwright/test';
import type { PilotMissionDetailDto } from '#shared/schemas/mission-lists.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { cancelMission } from '#server/missions/mission-cancel.ts';
import { givenAdmin, givenAlwaysFree, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenMissionIn } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { fontsShown, noteShifts, tooMuchShift } from './shifts.ts';

let service: Service;
let admin: Person;
let pilot: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  pilot = await givenPerson(service, { displayName: 'Maverick' });
  await givenAlwaysFree(service, pilot.id, 2);
  await givenMissionIn(service, admin, 3, {
    name: 'Op Tonight',
    aircraftSlots: [
      { aircraftId: 2, slotCount: 1, side: 0, notes: 'SEAD' },
      { aircraftId: 3, slotCount: 2, side: 0, notes: 'CAS' },
    ],
  });
  await givenMissionIn(service, admin, 20, { name: 'Op Later' });
  await givenMissionIn(service, admin, 30, { name: 'Op Tomorrow' });
  const { mission } = await givenMissionIn(service, admin, 9, { name: 'Op Cancelled' });
  await cancelMission(service.app.orm.em.fork(), admin, mission.id, new Date());
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** The pilot's order for the mission, and the mission as the pilot reads it. */
async function tonight(): Promise<{ order: FragOrderDto; mission: PilotMissionDetailDto }> {
  const { client } = pilot;
  const orders: FragOrderDto[] = (await client.call('GET', '/pilot/inbox?includeCompleted=true')).body;
  const order = orders.find(({ missionName }) => missionName === 'Op Tonight');
  if (order === undefined) throw new Error('the pilot was not asked');
  return { order, mission: (await client.call('GET', `/missions/${order.missionId}`)).body };
}

const zulu = (iso: string | null) => `${iso?.slice(11, 13)}${iso?.slice(14, 16)}Z`;
const lanes = (page: Page, name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem');
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('home begins with the next seat: accept it, confirm it, open its order', async ({ browser }) => {
  const { order } = await tonight();
  const page = await openAs(browser, service, pilot, { viewport: { width: 390, height: 844 } });
  const shifts = await noteShifts(page);
  await page.goto('/home');
  const line = page.getByRole('group', { name: 'Your next seat' });
  await expect(line).toContainText(`${zulu(order.startUtc)} · ${order.flightCallsign}-${order.seatIndex + 1} · in 2 h`);
  await expect(page.getByRole('region', { name: 'Inbox' }).getByRole('article').first()).toBeVisible();
  await fontsShown(page);
  expect(tooMuchShift(await shifts())).toEqual([]);

  const place = `${order.flightCallsign}, seat ${order.seatIndex + 1}`;
  await line.getByRole('button', { name: `Accept ${place}` }).press('Enter');
  await expect(page.getByText(`You're in: ${place}`, { exact: true })).toBeVisible();
  await line.getByRole('button', { name: `Confirm ${place}` }).press('Enter');
  await expect(page.getByText(`Confirmed: ${order.label}`)).toBeVisible();
  await expect(line.getByRole('link', { name: 'Open order' })).toBeVisible();
  await expect(line).toBeFocused();
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await overflow(page)).toBe(0);
  await line.getByRole('link', { name: 'Open order' }).click();
  await expect(page).toHaveURL(`${service.url}/orders/${order.id}`);
});

test('the plan has a lane for each flight, and the own one says so', async ({ browser }) => {
  const { order: own, mission } = await tonight();
  const flights = mission.packages.flatMap((one) => one.flights);
  expect(flights.length).toBe(2);
  const page = await openAs(browser, service, pilot, { viewport: { width: 320, height: 700 } });
  await page.goto(`/missions/${mission.id}`);
  const list = lanes(page, 'Timeline');
  await expect(list).toHaveCount(flights.length);
  for (const { callsign, launchUtc, totUtc } of flights) {
    const lane = list.filter({ hasText: callsign });
    for (const text of [`Brief`, `Launch ${zulu(launchUtc)}`, `TOT ${zulu(totUtc)}`, `End ${zulu(mission.endUtc)}`]) {
      await expect(lane).toContainText(text);
    }
    await expect(lane.getByText('You', { exact: true })).toHaveCount(callsign === own.flightCallsign ? 1 : 0);
  }
  expect(await overflow(page)).toBe(0);
});

test('the board has a lane for each mission of the next 24 hours, by start, and follows changes', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin, { viewport: { width: 1440, height: 900 } });
  const shifts = await noteShifts(page);
  await page.goto('/admin');
  const list = lanes(page, 'Next 24 hours');
  await expect(list).toHaveText([/^Op Tonight.*Brief.*Launch.*TOT.*End/, /^Op Later/]);
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  await fontsShown(page);
  expect(tooMuchShift(await shifts())).toEqual([]);
  const request = { aircraftSlots: [{ aircraftId: 3, slotCount: 1, side: 0 as const, notes: 'CAS' as const }] };
  await admin.client.call('POST', '/admin/missions', {
    name: 'Op Sooner',
    theater: 'Syria',
    startLocal: hoursFromNow(1),
    endLocal: hoursFromNow(2),
    timeZone: 'UTC',
    ...request,
  });
  await expect(list).toHaveText([/^Op Sooner/, /^Op Tonight/, /^Op Later/]);
  await list.getByRole('link', { name: 'Op Later' }).click();
  await expect(page).toHaveURL(/\/admin\/missions\/[\d-]+\?mission=/);
  await expect(page.getByRole('heading', { name: 'Op Later' })).toBeVisible();
});
