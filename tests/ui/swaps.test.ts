/** Swapping seats between two browsers against a real server: asked, agreed, declined, withdrawn, refused. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenPerson, type MissionRequest, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { expectModal } from './dialogs.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, cutOffLive, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.afterEach(() => retirePilots(service));

interface Seated {
  pilot: Person;
  order: { id: string };
  /** `Viper 1, seat 2` */
  place: string;
  aircraft: string;
}

const TWO_AIRCRAFT: NonNullable<MissionRequest['aircraftSlots']> = [
  { aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' },
  { aircraftId: 3, slotCount: 1, side: 0, notes: 'SEAD' },
];

/** Maverick and Goose, who can fly anything, each with an accepted seat of one mission in another aircraft. */
async function givenTwo(name: string): Promise<[Seated, Seated]> {
  const pilots: Person[] = [];
  for (const displayName of ['Maverick', 'Goose']) {
    const pilot = await givenPerson(service, { displayName });
    await givenAlwaysFree(service, pilot.id);
    pilots.push(pilot);
  }
  await givenMissionIn(service, admin, 60, { name, aircraftSlots: TWO_AIRCRAFT });
  const seated: Seated[] = [];
  for (const pilot of pilots) {
    const order = await orderOf(pilot);
    await respond(pilot, order, 'accepted');
    const { flightCallsign, seatIndex, aircraftName } = await read(pilot, order);
    seated.push({ pilot, order, place: `${flightCallsign}, seat ${seatIndex + 1}`, aircraft: aircraftName });
  }
  const [maverick, goose] = seated;
  if (!maverick || !goose) throw new Error('two pilots were to be seated');
  return [maverick, goose];
}

const swaps = (page: Page) => page.getByRole('group', { name: 'Seat swaps' });
const homeSwaps = (page: Page) => page.getByRole('region', { name: 'Seat swaps', exact: true });
const swapButton = (page: Page) => page.getByRole('button', { name: 'Swap seats' });
const openSwapsOf = async ({ client }: Person) => (await client.call('GET', '/pilot/swaps')).body;

async function openPage(browser: Browser, pilot: Person, path: string, options = {}): Promise<Page> {
  const page = await openAs(browser, service, pilot, options);
  await page.goto(path);
  return page;
}

/** The first asks the second through the page. */
async function ask(page: Page, name: string): Promise<void> {
  await swapButton(page).click();
  await page
    .getByRole('dialog', { name: 'Swap seats' })
    .getByRole('button', { name: `Ask ${name}` })
    .click();
  await expect(swaps(page)).toContainText(`Asked ${name}: open until`);
}

test('a pilot asks, the other agrees at home, and both pages show the other seat without a reload', async ({
  browser,
}) => {
  const [maverick, goose] = await givenTwo('Op Trade Wind');
  const asking = await openPage(browser, maverick.pilot, `/orders/${maverick.order.id}`);
  const home = await openPage(browser, goose.pilot, '/home');
  await expect(home.getByRole('region', { name: 'Accepted Missions' })).toContainText('Op Trade Wind');
  await expect(homeSwaps(home)).toHaveCount(0);

  await swapButton(asking).click();
  await expectModal(asking, 'Swap seats', swapButton(asking));
  await asking.keyboard.press('Enter');
  const dialog = asking.getByRole('dialog', { name: 'Swap seats' });
  await expect(dialog).toContainText(`You hold ${maverick.place} (${maverick.aircraft},`);
  await expect(dialog.getByRole('listitem')).toHaveText([
    new RegExp(`^Goose${goose.place} · ${goose.aircraft}, \\w+BlueYou haven't listed the ${goose.aircraft}\\.Ask$`),
  ]);
  await dialog.getByRole('button', { name: `Ask Goose, ${goose.place}` }).press('Enter');
  await expect(asking.getByText('Asked Goose to swap seats')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(swaps(asking)).toContainText('Asked Goose: open until');
  await expect(swapButton(asking)).toHaveCount(0);
  await expect(swaps(asking)).toBeFocused();

  const asked = homeSwaps(home).getByRole('article', { name: 'Seat swap with Maverick in Op Trade Wind' });
  await expect(asked).toContainText('Maverick asks to swap seats with you: answer by');
  await expect(asked).toContainText(`${goose.place} (${goose.aircraft}`);
  await expect(asked.getByRole('strong').last()).toContainText(`${maverick.place} (${maverick.aircraft}`);
  await expect(asked).toContainText(`You haven't listed the ${maverick.aircraft}.`);
  await asked.getByRole('button', { name: 'Agree' }).press('Enter');
  await expect(home.getByText(`Swapped: you now hold ${maverick.place}`)).toBeVisible();
  await expect(homeSwaps(home)).toHaveCount(0);
  await expect(home.getByRole('region', { name: 'Accepted Missions' })).toContainText(maverick.aircraft);
  // the panel is gone, and the focus moves to the orders
  await home.keyboard.press('Tab');
  await expect(home.getByRole('region', { name: 'Inbox' }).getByRole('button', { name: 'frag orders' })).toBeFocused();
  await home.keyboard.press('Tab');
  await expect(home.getByRole('region', { name: 'Inbox' }).getByRole('link')).toBeFocused();

  await expect(asking.getByRole('region', { name: 'Tasking' })).toContainText(goose.aircraft);
  await expect(swapButton(asking)).toBeVisible();
  await expect(asking.getByRole('region', { name: 'Tasking' })).toContainText('You swapped seats with Goose.');
});

test('the asked pilot declines on the order page, and both keep their seats', async ({ browser }) => {
  const [maverick, goose] = await givenTwo('Op No Deal');
  const asking = await openPage(browser, maverick.pilot, `/orders/${maverick.order.id}`);
  const asked = await openPage(browser, goose.pilot, `/orders/${goose.order.id}`);
  await expect(swapButton(asked)).toBeVisible();
  await ask(asking, 'Goose');
  const row = swaps(asked).getByRole('article', { name: 'Seat swap with Maverick' });
  await expect(row).toContainText('Maverick asks to swap seats with you');
  await row.getByRole('button', { name: 'Decline' }).press('Enter');
  await expect(asked.getByText(`Declined: you keep ${goose.place}`)).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(swaps(asked)).toBeFocused();
  // the proposer can ask again
  await expect(swapButton(asking)).toBeVisible();
  expect(await read(maverick.pilot, maverick.order)).toMatchObject({ aircraftName: maverick.aircraft });
});

test('a swap request is withdrawn, and agreeing too late shows a sentence', async ({ browser }) => {
  const [maverick, goose] = await givenTwo('Op Second Thoughts');
  const asking = await openPage(browser, maverick.pilot, `/orders/${maverick.order.id}`);
  await ask(asking, 'Goose');
  const home = await openAs(browser, service, goose.pilot);
  await cutOffLive(home);
  await home.goto('/home');
  const agree = homeSwaps(home).getByRole('button', { name: 'Agree' });
  await expect(agree).toBeVisible();
  await swaps(asking).getByRole('button', { name: 'Withdraw' }).press('Enter');
  await expect(asking.getByText('Withdrawn: Goose is no longer asked')).toBeVisible();
  await expect(swapButton(asking)).toBeVisible();
  await expect(swaps(asking)).toBeFocused();
  expect(await openSwapsOf(goose.pilot)).toEqual([]);

  await agree.click();
  await expect(home.getByText('This swap is no longer open.')).toBeVisible();
  await expect(homeSwaps(home)).toHaveCount(0);
  expect(await read(goose.pilot, goose.order)).toMatchObject({ aircraftName: goose.aircraft });
});

test('the dialog says that there is nobody, that the list failed to load, or why a pilot cannot be asked', async ({
  browser,
}) => {
  const [maverick, goose] = await givenTwo('Op Wallflower');
  const page = await openAs(browser, service, maverick.pilot);
  await cutOffLive(page);
  const mend = await cutOff(page, 'pilot.swaps.partners');
  await page.goto(`/orders/${maverick.order.id}`);
  await swapButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Swap seats' });
  await expect(dialog.getByRole('alert')).toContainText('Failed to load pilots to swap with');
  await mend();
  await dialog.getByRole('button', { name: 'Retry' }).click();
  const partner = dialog.getByRole('button', { name: `Ask Goose, ${goose.place}` });
  await expect(partner).toBeVisible();
  // unheard by this page
  await respond(goose.pilot, goose.order, 'declined');
  await partner.click();
  await expect(dialog.getByRole('alert')).toContainText('These two seats cannot be swapped.');
  await expect(dialog).toContainText('Nobody to swap with');
  await expect(dialog).toContainText('You can swap with a pilot who has accepted a seat in this mission');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(swapButton(page)).toBeFocused();
});

test('axe finds nothing on swap requests and their dialogs in both schemes', async ({ browser }) => {
  const [maverick, goose] = await givenTwo('Op Inspection');
  const page = await openPage(browser, maverick.pilot, `/orders/${maverick.order.id}`);
  const found: string[] = [];
  const look = async (what: string) => {
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 900 });
      if ((await overflowOf(page)) > 0) found.push(`${what} overflows at ${width} px`);
      found.push(...(await findInSchemes(page)).map((violation) => `${what} ${violation}`));
    }
  };
  await swapButton(page).click();
  await expect(page.getByRole('dialog').getByText('Goose')).toBeVisible();
  await look('the dialog');
  await page.getByRole('button', { name: 'Ask Goose' }).click();
  await expect(swaps(page)).toContainText('Asked Goose');
  await look('the own question');
  const other = await openPage(browser, goose.pilot, '/home');
  await expect(homeSwaps(other).getByRole('button', { name: 'Agree' })).toBeVisible();
  found.push(...(await findInSchemes(other)));
  expect(found).toEqual([]);
});
