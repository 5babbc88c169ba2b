/** The open seats on /home against a real server: listed, taken, lost to another pilot, and the reasons for none. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenPerson, type MissionRequest, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, inbox, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, cutOff, holdBack, openAs } from './pages.ts';

let service: Service;
let admin: Person;
const made: string[] = [];

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.afterEach(async () => {
  await retirePilots(service);
  // nor are the missions of one test open in the next
  for (const id of made.splice(0)) await admin.client.call('POST', `/admin/missions/${id}/cancel`);
});

const TWO_FLIGHTS: NonNullable<MissionRequest['aircraftSlots']> = [
  { aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' },
  { aircraftId: 3, slotCount: 1, side: 1, notes: 'SEAD' },
];

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const open = (page: Page, mission: string) => page.getByRole('article', { name: `Open seats in ${mission}` });
const accepted = (page: Page, mission: string) =>
  region(page, 'Accepted Missions').getByRole('article', { name: mission });
const acceptedOf = async ({ client }: Person) => (await client.call('GET', '/pilot/inbox/accepted')).body;

/** A mission whose seats are all open: every asked pilot has declined. */
async function givenOpen(pilots: readonly Person[], name: string, hours: number, aircraftSlots = TWO_FLIGHTS) {
  const { mission } = await givenMissionIn(service, admin, hours, { name, aircraftSlots });
  made.push(mission.id);
  for (const pilot of pilots) {
    const order = (await inbox(pilot)).find(({ missionId }: { missionId: string }) => missionId === mission.id);
    if (order) await respond(pilot, order, 'declined');
  }
  const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  const flights = body.packages.flatMap((one: { flights: unknown[] }) => one.flights);
  return { id: mission.id, flights };
}

async function givenFreePilot(displayName: string): Promise<Person> {
  const pilot = await givenPerson(service, { timeZone: 'Europe/Berlin', displayName });
  await givenAlwaysFree(service, pilot.id);
  return pilot;
}

async function openHome(browser: Browser, pilot: Person): Promise<Page> {
  const page = await openAs(browser, service, pilot);
  await page.goto('/home');
  await expect(region(page, 'Open seats')).toBeVisible();
  await expect(region(page, 'Open seats')).not.toContainText('Loading');
  return page;
}

test('a seat is taken after a confirmation that describes it, and is among the accepted missions at once', async ({
  browser,
}) => {
  const pilot = await givenFreePilot('Maverick');
  const { flights } = await givenOpen([pilot], 'Op Open Sky', 60);
  const [cap, sead] = flights;
  const page = await openHome(browser, pilot);
  const mission = open(page, 'Op Open Sky');
  await expect(mission).toContainText('3 seats open');
  await expect(mission.getByRole('listitem')).toHaveText([
    new RegExp(`^${cap.callsign}F-16C Viper, CAPBlueLaunch \\d{4}Z \\d{4}L.*Take seat 1 \\(lead\\)Take seat 2$`),
    new RegExp(`^${sead.callsign}A-10C II Warthog, SEADRedLaunch .*Take seat 1 \\(lead\\)$`),
  ]);
  await expect(region(page, 'Accepted Missions')).toHaveCount(0);

  const opener = page.getByRole('button', { name: `Take seat 1 (lead) of ${sead.callsign} in Op Open Sky` });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: `Take seat 1 of ${sead.callsign}?` });
  await expect(dialog).toContainText("This aircraft isn't on your list. Take the seat only if you own it.");
  for (const text of ['Op Open Sky', 'Syria', sead.callsign, 'Seat 1 (lead)', 'A-10C II Warthog', 'SEAD', 'Red']) {
    await expect(dialog).toContainText(text);
  }
  const launch = Temporal.Instant.from(sead.launchUtc);
  const wall = (zone: string) =>
    launch.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '');
  await expect(dialog.getByRole('time')).toContainText(`${wall('UTC')}Z ${wall('Europe/Berlin')}L`);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
  expect(await acceptedOf(pilot)).toEqual([]);

  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Take seat' }).press('Enter');
  await expect(page.getByText(/^You're in: .+, seat \d \(FRAG-\d+ Op Open Sky\)$/)).toBeVisible();
  // the toast comes last: by then the page shows it
  expect(await accepted(page, 'Op Open Sky').textContent()).toContain(sead.callsign);
  await expect(dialog).toHaveCount(0);
  await expect(mission).toHaveCount(0);
  expect(await acceptedOf(pilot)).toMatchObject([
    { missionName: 'Op Open Sky', flightCallsign: sead.callsign, seatIndex: 0, rsvp: 'accepted' },
  ]);
  // the button is gone, but the focus stays in the same panel
  await expect(region(page, 'Open seats').locator(':focus')).toHaveCount(1);
});

test('a flight says if its aircraft is not on the list, and a pilot with a list is told what is missing', async ({
  browser,
}) => {
  const pilot = await givenFreePilot('Merlin');
  await givenOpen([pilot], 'Op Wish List', 60);
  const page = await openHome(browser, pilot);
  const flights = open(page, 'Op Wish List').getByRole('listitem');
  await expect(flights.filter({ hasText: 'Not on your list' })).toHaveCount(2);
  await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'basic' });
  await expect(open(page, 'Op Wish List')).not.toContainText('A-10C');
  await expect(flights).toHaveCount(1);
  await expect(flights).not.toContainText('Not on your list');
  await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/1`, { level: 'basic' });
  await pilot.client.call('DELETE', `/users/${pilot.id}/proficiencies/2`);
  await expect(open(page, 'Op Wish List')).toHaveCount(0);
  await page.getByText("you can't join yet").click();
  await expect(region(page, 'Open seats')).toContainText("You haven't listed the F-16C Viper or the A-10C II Warthog.");
});

test('when two pilots want the same seat, the second reads a sentence and sees the seats that are left', async ({
  browser,
}) => {
  const [first, second] = [await givenFreePilot('Goose'), await givenFreePilot('Iceman')];
  const { flights } = await givenOpen([first, second], 'Op Musical Chairs', 60);
  const name = `Take seat 1 (lead) of ${flights[0].callsign} in Op Musical Chairs`;
  const pages = [await openHome(browser, first), await openHome(browser, second)] as const;
  for (const page of pages) await page.getByRole('button', { name }).click();
  const [quick, slow] = pages.map((page) => page.getByRole('dialog').getByRole('button', { name: 'Take seat' }));
  await quick?.click();
  await expect(accepted(pages[0], 'Op Musical Chairs')).toBeVisible();
  await slow?.click();
  await expect(pages[1].getByText('This seat has been taken by another pilot.')).toBeVisible();
  await expect(pages[1].getByRole('dialog')).toHaveCount(0);
  await expect(pages[1].getByRole('button', { name })).toHaveCount(0);
  await expect(open(pages[1], 'Op Musical Chairs')).toContainText('2 seats open');
});

test('missions without a seat for the pilot say why, folded up', async ({ browser }) => {
  const [pilot, other] = [await givenFreePilot('Merlin'), await givenFreePilot('Wolfman')];
  const ONE = TWO_FLIGHTS.slice(0, 1);
  const flown = await givenMissionIn(service, admin, 60, { name: 'Op First', aircraftSlots: ONE });
  made.push(flown.mission.id);
  for (const one of [pilot, other]) await respond(one, await orderOf(one), 'accepted');
  const { mission: clash } = await givenMissionIn(service, admin, 61, { name: 'Op Same Time', aircraftSlots: ONE });
  const { mission: full } = await givenMissionIn(service, admin, 80, {
    name: 'Op Full House',
    aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
  });
  made.push(clash.id, full.id);
  // whichever of the two got the order, the other one has the seat
  const [asked] = await inbox(pilot);
  if (asked) await respond(pilot, asked, 'declined');
  const page = await openHome(browser, pilot);
  const panel = region(page, 'Open seats');
  await expect(panel).toContainText('No upcoming mission has an open seat for you.');
  await expect(panel.getByText('Op Same Time')).toBeHidden();
  await panel.getByText("1 mission you can't join yet").click();
  await expect(panel).toContainText('You are on “Op First” at that time.');
  await expect(
    panel.getByRole('listitem').filter({ hasText: 'Op Same Time' }).getByRole('link', { name: 'Open Op First' }),
  ).toHaveAttribute('href', `/missions/${flown.mission.id}`);
});

test('a pilot stands by for a full mission, is in the queue once, and leaves it', async ({ browser }) => {
  const [pilot, holder] = [await givenFreePilot('Willing'), await givenFreePilot('Holder')];
  const ONE = TWO_FLIGHTS.slice(0, 1).map((slot) => ({ ...slot, slotCount: 1 }));
  const { mission } = await givenMissionIn(service, admin, 80, { name: 'Op Full House', aircraftSlots: ONE });
  made.push(mission.id);
  // whichever of the two got the order, the other one has the seat
  const asked = (await inbox(pilot)).length > 0 ? pilot : holder;
  const waiting = asked === pilot ? holder : pilot;
  await respond(asked, await orderOf(asked), 'accepted');
  const page = await openHome(browser, waiting);
  const full = region(page, 'Open seats').getByRole('list', { name: 'Full missions' });
  await expect(full.getByRole('listitem')).toContainText('The only seat that fits you is taken.');
  await full.getByRole('button', { name: 'Stand by for Op Full House' }).click();
  const row = region(page, 'On standby').getByRole('article');
  await expect(row).toContainText('Op Full House');
  await expect(page.getByText(/^1st in line: FRAG-\d+ Op Full House$/)).toBeVisible();
  await expect(full).toHaveCount(0);
  await region(page, 'Open seats').getByText("1 mission you can't join yet").click();
  await expect(region(page, 'Open seats')).toContainText("The only seat that fits you is taken. You're on standby.");
  await row.getByRole('button', { name: 'Leave the queue' }).click();
  await expect(region(page, 'On standby')).toHaveCount(0);
  await expect(full.getByRole('button', { name: 'Stand by for Op Full House' })).toBeVisible();
  // the mission's own page has the same button
  await page.goto(`${service.url}/missions/${mission.id}`);
  await region(page, 'Open seats').getByRole('button', { name: 'Stand by for Op Full House' }).click();
  await expect(region(page, 'Your seat')).toContainText('Number 1 on standby');
});

test('more than three missions are folded, and an empty panel says so', async ({ browser }) => {
  const pilot = await givenFreePilot('Hollywood');
  const page = await openHome(browser, pilot);
  await expect(region(page, 'Open seats')).toContainText('No upcoming mission has an open seat for you.');
  for (const hours of [60, 70, 80, 90, 100]) await givenOpen([pilot], `Op ${hours}`, hours, TWO_FLIGHTS.slice(0, 1));
  await page.reload();
  const missions = region(page, 'Open seats').getByRole('article');
  await expect(missions).toHaveCount(3);
  await page.getByRole('button', { name: 'Show 2 more' }).press('Enter');
  await expect(missions).toHaveCount(5);
  await expect(region(page, 'Open seats').locator(':focus')).toHaveCount(1);
});

test('a failed list loads again with Retry, and the button is disabled while a seat is being taken', async ({
  browser,
}) => {
  const pilot = await givenFreePilot('Slider');
  await givenOpen([pilot], 'Op Patience', 60, TWO_FLIGHTS.slice(0, 1));
  const page = await openAs(browser, service, pilot);
  const mend = await cutOff(page, 'pilot.seats.openings');
  await page.goto('/home');
  const panel = region(page, 'Open seats');
  await expect(panel.getByRole('alert')).toContainText('Failed to load open seats');
  await mend();
  await panel.getByRole('button', { name: 'Retry' }).click();
  await expect(open(page, 'Op Patience')).toBeVisible();

  const release = await holdBack(page, 'pilot.seats.take');
  await open(page, 'Op Patience').getByRole('button').first().click();
  const take = page.getByRole('dialog').getByRole('button', { name: 'Take seat' });
  await take.click();
  await expect(take).toHaveAttribute('data-loading', 'true');
  release();
  await expect(accepted(page, 'Op Patience')).toBeVisible();
});

test('a mission that a pilot nearly has time for is taken in one tap, which also adds the time', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { timeZone: 'Europe/Berlin', displayName: 'Nearly' });
  const { id, flights } = await givenOpen([], 'Op Nearly', 60);
  const { body: mission } = await admin.client.call('GET', `/admin/missions/${id}`);
  const wall = (iso: string) => Temporal.Instant.from(iso).toZonedDateTimeISO('Europe/Berlin');
  const [start, end] = [wall(mission.startUtc), wall(mission.endUtc)];
  const clock = (time: Temporal.ZonedDateTime) => time.toPlainTime().toString({ smallestUnit: 'minute' });
  const free = {
    dateLocal: start.toPlainDate().toString(),
    kind: 'available',
    startLocal: clock(start),
    endLocal: clock(end.subtract({ minutes: 45 })),
    aircraftCodeId: 0,
  };
  await pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, free);
  const page = await openHome(browser, pilot);
  const near = page.getByRole('list', { name: 'Missions you nearly have time for' });
  await expect(near).toContainText('Op Nearly');
  await near
    .getByRole('button', { name: new RegExp(`^Free until ${clock(end).replace(':', '')}L that day\\? Add and take`) })
    .click();
  await expect(accepted(page, 'Op Nearly')).toBeVisible();
  await expect(near).toHaveCount(0);
  const [order] = await acceptedOf(pilot);
  expect(flights.map((flight: { callsign: string }) => flight.callsign)).toContain(order.flightCallsign);
  const { body: overrides } = await pilot.client.call('GET', `/users/${pilot.id}/availability/overrides`);
  expect(overrides.map(({ endLocal }: { endLocal: string }) => endLocal)).toContain(clock(end));
});

test('a pilot on standby is offered the open seat of that mission, in the row and on the order', async ({
  browser,
}) => {
  const pilot = await givenFreePilot('Patient');
  const { mission } = await givenMissionIn(service, admin, 60, { name: 'Op Beside' });
  made.push(mission.id);
  await respond(pilot, await orderOf(pilot), 'standby');
  const page = await openHome(browser, pilot);
  const row = region(page, 'On standby').getByRole('article');
  const offer = row.getByRole('group', { name: 'Open seat in this mission' });
  await expect(offer).toContainText('Viper 1, seat 1 is open (F-16C Viper, CAP).');
  await row.getByRole('link', { name: /^FRAG-/ }).click();
  await expect(page.getByRole('group', { name: 'Open seat in this mission' })).toContainText('Viper 1, seat 1 is open');
  await page.goBack();
  await offer.getByRole('button', { name: 'Take this seat' }).click();
  await expect(accepted(page, 'Op Beside')).toBeVisible();
  await expect(region(page, 'On standby')).toHaveCount(0);
});
