/** /admin/missions/{date} against a real server. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, cutOffLive, holdBack, openAs } from './pages.ts';

const ZONE = 'America/New_York';
/** In New York this mission runs over midnight: 20:30 to 00:30, 01:30Z to 05:30Z in summer. */
const NIGHT = { date: '2027-06-10', start: '2027-06-10T20:30', end: '2027-06-11T00:30' };

let service: Service;
let admin: Person;
let pilot: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Goose', timeZone: ZONE });
  pilot = await givenPerson(service, { displayName: 'Maverick' });
  await givenAlwaysFree(service, pilot.id);
  await givenMission(service, admin, {
    name: 'Op Night Owl',
    theater: 'Nevada',
    startLocal: NIGHT.start,
    endLocal: NIGHT.end,
    timeZone: ZONE,
    notes: 'Lights out after the push.',
    aircraftSlots: [
      { aircraftId: 2, slotCount: 5, side: 0, notes: 'CAP' },
      { aircraftId: 3, slotCount: 1, side: 1, notes: 'CAS', additionalNotes: 'Guns only' },
    ],
  });
  await givenMission(service, admin, {
    name: 'Op Early Bird',
    theater: 'Kola',
    startLocal: '2027-06-10T08:00',
    endLocal: '2027-06-10T09:00',
    timeZone: ZONE,
  });
  const inbox = (await pilot.client.call('GET', '/pilot/inbox')).body;
  for (const { id } of inbox) await pilot.client.call('POST', `/pilot/inbox/${id}/rsvp`, { response: 'Accepted' });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

async function openDate(browser: Browser, date: string, options = {}): Promise<Page> {
  const page = await openAs(browser, service, admin, options);
  await page.goto(`/admin/missions/${date}`);
  return page;
}

const clock = (iso: string, zone: string) =>
  Temporal.Instant.from(iso)
    .toZonedDateTimeISO(zone)
    .toPlainTime()
    .toString({ smallestUnit: 'minute' })
    .replace(':', '');

test('the board of a date shows its missions, packages, flights, seats and times as the call answers them', async ({
  browser,
}) => {
  const page = await openDate(browser, NIGHT.date);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mission Details - 2027-06-10');
  await expect(page).toHaveTitle(/^Mission Details - 2027-06-10/);
  await expect(page.getByText(`Thu, Jun 10 · 2 missions · ${ZONE}`)).toBeVisible();

  const { missions }: { missions: MissionDto[] } = (
    await admin.client.call('GET', `/admin/missions/by-date?date=${NIGHT.date}&tz=${ZONE}`)
  ).body;
  expect(missions.map(({ name }) => name)).toEqual(['Op Early Bird', 'Op Night Owl']);
  for (const word of ['Launch', 'TOT', 'standby'])
    await expect(page.getByRole('button', { name: word, exact: true }).first()).toBeVisible();
  for (const mission of missions) {
    const card = page.getByRole('region', { name: mission.name });
    await expect(card).toContainText(mission.theater);
    await expect(card).toContainText('scheduled');
    await expect(card).toContainText('by Goose');
    for (const pack of mission.packages) {
      const section = card.getByRole('group', { name: `Package ${pack.callsign}` });
      await expect(section).toContainText(pack.objective);
      const [packLaunch, packTot] = [pack.launchUtc ?? '', pack.totUtc ?? ''];
      await expect(section).toContainText(`Launch ${clock(packLaunch, 'UTC')}Z ${clock(packLaunch, ZONE)}L`);
      await expect(section).toContainText(`TOT ${clock(packTot, 'UTC')}Z ${clock(packTot, ZONE)}L`);
      await expect(section.getByRole('heading', { level: 4 })).toHaveText(pack.flights.map(({ callsign }) => callsign));
      for (const flight of pack.flights) {
        const row = section.getByRole('listitem').filter({ has: page.getByRole('heading', { name: flight.callsign }) });
        const [launch, tot] = [flight.launchUtc ?? '', flight.totUtc ?? ''];
        for (const text of [
          flight.aircraftName,
          flight.side === 0 ? 'Blue' : 'Red',
          `${clock(launch, 'UTC')}Z ${clock(launch, ZONE)}L`,
          `${clock(tot, 'UTC')}Z ${clock(tot, ZONE)}L`,
          `${flight.assignments.length}/${flight.sizeCap}`,
          ...(flight.radioFreq === null ? [] : [flight.radioFreq]),
          ...(flight.notes === null ? [] : [flight.notes]),
          ...(flight.assignments.length === 0 ? ['No pilots assigned'] : []),
          ...flight.assignments.map(({ seatIndex, userDisplayName }) => `Seat ${seatIndex + 1} ${userDisplayName}`),
        ]) {
          await expect(row).toContainText(text);
        }
      }
    }
  }
  const night = page.getByRole('region', { name: 'Op Night Owl' });
  await expect(night).toContainText('2030–0030L+1');
  await expect(night).toContainText('0030–0430Z+1');
  await expect(night).toContainText('Lights out after the push.');
  await expect(night).toContainText('Guns only');
  await expect(night.getByText('No pilots assigned')).toHaveCount(2);
  await expect(page.getByRole('link', { name: 'Maverick' })).toHaveCount(2);
});

test('previous, next and the board are a link away; a date without missions says so and offers to create one', async ({
  browser,
}) => {
  const page = await openDate(browser, NIGHT.date);
  await page.getByRole('link', { name: 'Next day, Fri, Jun 11' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mission Details - 2027-06-11');
  await expect(page.getByText('No missions found for 2027-06-11')).toBeVisible();
  await page.getByRole('link', { name: 'Previous day, Thu, Jun 10' }).click();
  await expect(page.getByRole('region', { name: 'Op Night Owl' })).toBeVisible();

  await page.getByRole('link', { name: /^Next day/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mission Details - 2027-06-11');
  await page.getByRole('main').getByRole('link', { name: 'Create mission' }).click();
  await expect(page.getByLabel('Start date')).toHaveValue('2027-06-11');
  await expect(page.getByLabel('Start time')).toHaveValue('19:00');
  await page.goBack();
  await page.getByRole('link', { name: '← Board' }).click();
  await page.waitForURL('**/admin');
});

test('a failed load names what failed, and Retry loads it', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await cutOffLive(page);
  const mend = await cutOff(page, 'admin.missionsByDate');
  const release = await holdBack(page, 'admin.missionsByDate');
  await page.goto(`/admin/missions/${NIGHT.date}`);
  await expect(page.getByText('Loading mission details...')).toBeVisible();
  release();
  await expect(page.getByRole('alert')).toContainText('Error loading mission details: Unknown error occurred');
  await mend();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('region', { name: 'Op Night Owl' })).toBeVisible();
});

test('an address without a date says so', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  for (const date of ['2027-02-30', 'tomorrow', '1999-01-01']) {
    await page.goto(`/admin/missions/${date}`);
    await expect(page.getByText('This is not a date')).toBeVisible();
  }
  await page.getByRole('link', { name: 'Today’s missions' }).click();
  const today = Temporal.Now.plainDateISO(ZONE).toString();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Mission Details - ${today}`);
});

test('a link to one mission scrolls to it, and an unknown id is ignored', async ({ browser }) => {
  const page = await openDate(browser, NIGHT.date, { viewport: { width: 1000, height: 500 } });
  const card = page.getByRole('region', { name: 'Op Night Owl' });
  await expect(card).toBeVisible();
  await expect(card.getByRole('heading', { level: 2 })).not.toBeInViewport();
  const href = await card.getByRole('link', { name: 'Op Night Owl', exact: true }).getAttribute('href');
  await page.goto(href ?? '');
  await expect(card.getByRole('heading', { level: 2 })).toBeInViewport();
  await page.goto(`/admin/missions/${NIGHT.date}?mission=night`);
  await expect(card).toBeVisible();
});

test('on phones the board does not scroll sideways', async ({ browser }) => {
  const page = await openDate(browser, NIGHT.date, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 740 });
    await expect(page.getByRole('region', { name: 'Op Night Owl' })).toBeVisible();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  }
});
