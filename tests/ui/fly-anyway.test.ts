/** Missions without a seat that fits: every reason stands beside a way on, on /home and on the mission's page. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, inbox, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { seatIn, take, vipers } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import type { IneligibilityReason } from '#shared/vocabulary.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

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
  for (const id of made.splice(0)) await admin.client.call('POST', `/admin/missions/${id}/cancel`);
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const panel = (page: Page) => page.getByRole('region', { name: 'Open seats', exact: true });

async function givenOpen(name: string, hours: number, seats = 2): Promise<string> {
  const { mission } = await givenMissionIn(service, admin, hours, { name, aircraftSlots: vipers(seats) });
  made.push(mission.id);
  return mission.id;
}

async function openHome(browser: Browser, pilot: Person): Promise<Page> {
  const page = await openAs(browser, service, pilot, PHONE);
  await page.goto('/home');
  await expect(panel(page)).not.toContainText('Loading');
  return page;
}

test('a newcomer without times reads one reason for five missions, and flies one with two taps', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { timeZone: 'America/New_York', displayName: 'Rook' });
  for (const n of [1, 2, 3, 4]) await givenOpen(`Op Number ${n}`, 24 * n + 40);
  await givenOpen('Op Number 5', 160, 1);
  const page = await openHome(browser, pilot);
  await panel(page).getByText("5 missions you can't join yet").tap();
  await expect(panel(page).getByText('You are not available at these times.')).toHaveCount(1);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  expect(await findInSchemes(page)).toEqual([]);

  await panel(page).getByRole('button', { name: 'Fly it anyway: Op Number 1' }).tap();
  const sheet = page.getByRole('dialog', { name: 'Fly Op Number 1?' });
  await expect(sheet).toContainText(/Adds \w{3}, \w{3} \d+ \d{4}–\d{4}L(\+1)? for this date only\./);
  expect(await findInSchemes(page)).toEqual([]);
  await sheet.getByRole('button', { name: /seat 2/ }).tap();
  await expect(page.getByText(/^You're in: .+, seat \d \(FRAG-\d+ Op Number 1\)$/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Accepted Missions' })).toContainText('Op Number 1');

  // only one seat fits: one tap
  await panel(page).getByRole('button', { name: 'Fly it anyway: Op Number 5' }).tap();
  await expect(page.getByText(/^You're in: .+, seat \d \(FRAG-\d+ Op Number 5\)$/)).toBeVisible();
  const { body } = await pilot.client.call('GET', '/pilot/inbox/accepted');
  expect(body.map(({ missionName }: { missionName: string }) => missionName).toSorted()).toEqual([
    'Op Number 1',
    'Op Number 5',
  ]);
});

interface Case {
  /** makes the reason apply to the pilot for a mission; @returns the mission */
  given: (pilot: Person) => Promise<string>;
  /** button or link beside the reason */
  way: RegExp;
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Does not compile while a reason is missing. */
const CASES: Record<IneligibilityReason, Case> = {
  NOT_AVAILABLE: { given: () => givenOpen('Op Reason', 60), way: /^Fly it anyway/ },
  ON_LEAVE: {
    given: async (pilot) => {
      await givenAlwaysFree(service, pilot.id);
      await pilot.client.call('PUT', `/users/${pilot.id}/leave`, { firstDate: day(0), lastDate: day(9), reason: null });
      return givenOpen('Op Reason', 60);
    },
    way: /^Fly it anyway/,
  },
  AIRCRAFT: {
    given: async (pilot) => {
      await givenAlwaysFree(service, pilot.id);
      await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/1`, { level: 'basic' });
      return givenOpen('Op Reason', 60);
    },
    way: /^Fly it anyway/,
  },
  COMMITTED: {
    given: async (pilot) => {
      const id = await givenOpen('Op Reason', 60);
      await givenAlwaysFree(service, pilot.id);
      await givenOpen('Op Held', 61, 1);
      await respond(pilot, await orderOf(pilot), 'accepted');
      return id;
    },
    way: /^Open Op Held/,
  },
  DO_NOT_DISTURB: {
    given: async (pilot) => {
      await givenAlwaysFree(service, pilot.id);
      await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
      return givenOpen('Op Reason', 10);
    },
    way: /^Fly it anyway/,
  },
  OUTRANKED: {
    given: async (pilot) => {
      const holder = await givenPerson(service);
      const id = await givenOpen('Op Reason', 60, 1);
      await take(holder, { ...(await seatIn(admin, id)), addAvailability: true });
      await givenAlwaysFree(service, pilot.id);
      expect(await inbox(pilot)).toEqual([]);
      return id;
    },
    way: /^Stand by for/,
  },
};

for (const [reason, { given, way }] of Object.entries(CASES)) {
  test(`${reason} stands beside a way on, on /home and on the mission's page`, async ({ browser }) => {
    const pilot = await givenPerson(service);
    const id = await given(pilot);
    const { body } = await pilot.client.call('GET', '/pilot/openings');
    expect(body.closed.map(({ reason: code }: { reason: string }) => code)).toContain(reason);
    const page = await openHome(browser, pilot);
    const folded = panel(page).getByText("you can't join yet");
    if (await folded.isVisible()) await folded.tap();
    const wayOn = panel(page)
      .getByRole('button', { name: way })
      .or(panel(page).getByRole('link', { name: way }));
    await expect(wayOn.first()).toBeVisible();
    await page.goto(`/missions/${id}`);
    await expect(wayOn.first()).toBeVisible();
  });
}
