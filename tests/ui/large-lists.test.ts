/** Lists of a community of 10,000: pages stay small, and the last row of each list can be reached. */
import { expect, test, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { givenAdmin, givenAlwaysFree, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenGuild } from '#tests/harness/guilds.ts';
import { givenMissionIn } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

const MANY = 10_000;
const BANS = 230;
const ORDERS = 300;
/** Elements of a page, of which a long list may be a part. */
const MOST_ELEMENTS = 3_500;

let service: Service;
let admin: Person;
const run = (statement: ReturnType<typeof sql>) => query(service.app.orm.em.fork(), statement);

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await givenCrowd(service, MANY);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr');

async function expectSmall(page: Page): Promise<void> {
  expect(await page.locator('*').count()).toBeLessThan(MOST_ELEMENTS);
}

/** Follows the link to the last page of a list. */
async function openLastPage(page: Page, list: string): Promise<void> {
  const pages = page.getByRole('navigation', { name: `${list} pages` });
  const name = /^Page \d+$/;
  await pages.getByRole('link', { name }).or(pages.getByRole('button', { name })).last().click();
}

test('the list of users has 20 on each page', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/users?sort=displayName&direction=asc');
  await expect(page.getByText('10,001 users')).toBeVisible();
  await expect(rowsOf(page, 'Users')).toHaveCount(20);
  await expectSmall(page);
  await openLastPage(page, 'Users');
  await expect(rowsOf(page, 'Users')).toHaveCount(1);
  await expect(rowsOf(page, 'Users')).toContainText('Ops');
  await expectSmall(page);
});

test('so does the audit log', async ({ browser }) => {
  await run(
    sql`insert into audit_entry (id, actor_id, action, subject_type, subject_id, detail, occurred_at)
        select gen_random_uuid(), ${admin.id}, 'role_added', 'user', ${admin.id}, '{"role": "admin"}',
               '2026-01-01'::timestamptz - n * interval '1 minute' from generate_series(1, ${MANY}::int) n`,
  );
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/audit?action=role_added');
  await expect(rowsOf(page, 'Audit log')).toHaveCount(20);
  await expectSmall(page);
  await openLastPage(page, 'Audit log');
  await expect(page).toHaveURL(/page=500/);
  await expect(rowsOf(page, 'Audit log')).toHaveCount(20);
  await expectSmall(page);
});

test('a server with 10,000 members has 50 on each page', async ({ browser }) => {
  const members = Array.from({ length: MANY }, (_, index) => ({ name: `guest ${index + 1}` }));
  await givenGuild(service, '7', { name: 'Crowded Wing', memberCount: MANY, members });
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/discord/guilds/7');
  await page.getByRole('tab', { name: /Member Roster/ }).click();
  await expect(rowsOf(page, 'Member Roster')).toHaveCount(50);
  await expectSmall(page);
  await openLastPage(page, 'Members');
  await expect(rowsOf(page, 'Member Roster')).toHaveCount(50);
  await expectSmall(page);
});

test('a mission with hundreds of orders, and thousands of pilots without a seat, shows the first of them', async ({
  browser,
}) => {
  await givenAlwaysFree(service, admin.id);
  const { mission } = await givenMissionIn(service, admin, 30, {
    name: 'Op Crowd',
    aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
  });
  await run(
    sql`insert into frag_order
        select made.* from (select * from frag_order limit 1) model, app_user pilot,
          jsonb_populate_record(null::frag_order, to_jsonb(model) || jsonb_build_object(
            'id', gen_random_uuid(), 'seq', nextval(pg_get_serial_sequence('frag_order', 'seq')),
            'pilot_id', pilot.id, 'rsvp', 'declined', 'answered_at', now())) made
        where pilot.id <> ${admin.id} limit ${ORDERS}::int`,
  );
  const page = await openAs(browser, service, admin);
  await page.goto(`/admin/missions/${hoursFromNow(30).slice(0, 10)}?mission=${mission.id}`);
  await page.getByRole('tab', { name: /^Orders/ }).click();
  const orders = rowsOf(page, 'Declined orders of Op Crowd');
  await expect(orders).toHaveCount(100);
  await expect(page.getByText(`100 of ${ORDERS} rows`)).toBeVisible();
  await expectSmall(page);
  await page.getByRole('tab', { name: 'Not seated' }).click();
  await expect(page.getByRole('button', { name: /^Show more, [\d,]+ pilots left$/ }).first()).toBeVisible();
  await expectSmall(page);
});

test('the list for a seat has the first pilots, and typing finds the others', async ({ browser }) => {
  const { mission } = await givenMissionIn(service, admin, 60, {
    name: 'Op Search',
    aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' }],
  });
  const page = await openAs(browser, service, admin);
  await page.goto(`/admin/missions/${hoursFromNow(60).slice(0, 10)}?mission=${mission.id}`);
  await page
    .getByRole('button', { name: /^Assign pilot/ })
    .last()
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('The first 60 pilots; type to find others.')).toBeVisible();
  await dialog.getByRole('combobox').fill('crowd 9999');
  await expect(dialog.getByText('1 pilot', { exact: true })).toBeVisible();
  await dialog.getByRole('combobox').fill('nobody at all');
  await expect(dialog.getByText('No pilot is called “nobody at all”.')).toBeVisible();
  await dialog.getByRole('combobox').fill('Crowd 9998');
  await dialog.getByRole('option', { name: /^Crowd 9998/ }).click();
  await dialog.getByRole('button', { name: 'Assign anyway' }).click();
  await expect(page.getByText(/^Crowd 9998 has an order for /)).toBeVisible();
});

test('a long table shows its first rows, and the others on request, by mouse and by keys', async ({ browser }) => {
  await run(
    sql`insert into ban (id, email_hash, label, reason, created_at)
        select gen_random_uuid(), 'hash ' || n, 'Ban ' || n, 'Harassed other pilots', '2026-01-01'::timestamptz - n * interval '1 minute'
        from generate_series(1, ${BANS}::int) n`,
  );
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/users?list=bans');
  const table = page.getByRole('table', { name: 'Bans' });
  const rows = rowsOf(page, 'Bans');
  await expect(rows).toHaveCount(100);
  await expect(table).toHaveAttribute('aria-rowcount', `${BANS + 1}`);
  await page.getByRole('button', { name: 'Show 100 more' }).press('Enter');
  await expect(rows).toHaveCount(200);
  await expect(page.getByRole('button', { name: 'Show 30 more' })).toBeFocused();
  await page.getByRole('button', { name: 'Show 30 more' }).press('Enter');
  await expect(rows).toHaveCount(BANS);
  await expect(rows.last()).toContainText('Ban 230');
  await expect(table).not.toHaveAttribute('aria-rowcount');
  await expect(page.getByRole('button', { name: /^Show \d+ more$/ })).toHaveCount(0);
  // the button is gone, and the keyboard goes on from the first row that it has shown
  await expect(rows.nth(200)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(rows.nth(200).getByRole('button').first()).toBeFocused();
});

test('a recommended time shows three pilots, then 50, then the others 50 at a time', async ({ browser }) => {
  const free = await query<{ id: string }>(
    service.app.orm.em.fork(),
    sql`select id from app_user where id <> ${admin.id} order by id limit 129`,
  );
  for (const { id } of free) await givenAlwaysFree(service, id);
  const page = await openAs(browser, service, admin);
  await page.goto('/admin');
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByText('#1', { exact: true }) })
    .filter({ hasText: /free for/ });
  await expect(card).toBeVisible();
  const counted = Number(/(\d+) pilots are free/.exec((await card.textContent()) ?? '')?.[1]);
  expect(counted).toBeGreaterThanOrEqual(129);
  const pilots = card.getByRole('list', { name: 'Pilots' }).getByRole('link');
  await expect(pilots).toHaveCount(3);
  await card.getByRole('button', { name: `${counted - 3} more pilots` }).click();
  await expect(pilots).toHaveCount(50);
  await card.getByRole('button', { name: 'Show 50 more' }).click();
  await expect(pilots).toHaveCount(100);
  await card.getByRole('button', { name: `Show ${counted - 100} more` }).press('Enter');
  await expect(pilots).toHaveCount(counted);
  await expect(card.getByRole('button', { name: 'Fewer pilots' })).toBeFocused();
  const names = await pilots.allTextContents();
  expect(new Set(await pilots.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).size).toBe(
    counted,
  );
  expect(names).toEqual(names.toSorted());
  await card.getByRole('button', { name: 'Fewer pilots' }).click();
  await expect(pilots).toHaveCount(3);
});
