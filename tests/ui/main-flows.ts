/** The main flows of pilots and admins, step by step, in a community of 10,000 with 300 weeks. */
import { expect, type Locator, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenWeeks } from '#tests/harness/crowd-weeks.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { givenAdmin, givenAlwaysFree, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { givenMissionIn } from '#tests/harness/orders.ts';
import type { Service } from '#tests/harness/service.ts';
import { dayChart, interactionsOf, panel, today, ZONE } from './board.ts';
import { block, cell, givenWeek, slot } from './weeks.ts';

const PILOTS = 10_000;
const WITH_WEEKS = 300;
/** Each flow can run this often: a round has its own pilot, who answers two of these orders, and its own weekday. */
export const FLOW_ROUNDS = 3;
const ORDERS = 4;
const WEEKDAYS = ['Monday', 'Wednesday', 'Friday'];

export interface Flow {
  name: string;
  /** one for each round, or one for all; null for a visitor */
  people: readonly (Person | null)[];
  run: (page: Page, step: (name: string) => void, round: number) => Promise<void>;
}

const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Waits until the page shows its last frame and has nothing to do, so that a step has all its tasks. */
async function rest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => resolve())));
    });
  });
}

/** @param pages name of the navigation between the pages of a list */
async function openSecondPage(page: Page, pages: string): Promise<void> {
  await page.getByRole('navigation', { name: pages }).getByText('2', { exact: true }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await rest(page);
}

async function givenCommunity(service: Service): Promise<{ admin: Person; pilots: Person[]; planner: Person }> {
  const admin = await givenAdmin(service, ZONE);
  const pilots: Person[] = [];
  for (let round = 0; round < FLOW_ROUNDS; round += 1) {
    const pilot = await givenPerson(service, { displayName: `Maverick ${round}`, timeZone: ZONE });
    await givenAlwaysFree(service, pilot.id);
    pilots.push(pilot);
  }
  for (let order = 0; order < ORDERS; order += 1) {
    await givenMissionIn(service, admin, 40 + order * 4, {
      name: `Op ${order}`,
      aircraftSlots: [{ aircraftId: 2, slotCount: FLOW_ROUNDS, side: 0, notes: 'CAP' }],
    });
  }
  const planner = await givenPerson(service, { timeZone: ZONE });
  await givenWeek(planner, [slot(2, '19:00', '21:00'), slot(4, '19:00', '23:00'), slot(6, '10:00', '13:00')]);
  const crowd = await givenCrowd(service, PILOTS);
  await givenWeeks(service, crowd.slice(0, WITH_WEEKS));
  await query(
    service.app.orm.em.fork(),
    sql`insert into audit_entry (id, actor_id, action, subject_type, subject_id, detail, occurred_at)
        select gen_random_uuid(), ${admin.id}, 'role_added', 'user', ${admin.id}, '{"role": "admin"}',
               '2026-01-01'::timestamptz - n * interval '1 minute' from generate_series(1, ${PILOTS}::int) n`,
  );
  return { admin, pilots, planner };
}

/** @returns the flows, each of which can be repeated */
export async function givenMainFlows(service: Service): Promise<Flow[]> {
  const { admin, pilots, planner } = await givenCommunity(service);
  return [
    {
      name: 'sign in',
      people: [null],
      run: async (page, step, round) => {
        step('/login opens');
        await page.goto('/login');
        await page.getByRole('button', { name: 'Sign In' }).waitFor();
        await rest(page);
        step('the fields are filled in');
        await page.getByLabel('Email').fill(pilots[round]?.email ?? '');
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await rest(page);
        step('Sign In leads to /home');
        await page.getByRole('button', { name: 'Sign In' }).click();
        await region(page, 'Inbox').getByRole('article').first().waitFor();
        await rest(page);
      },
    },
    {
      name: 'home',
      people: pilots,
      run: async (page, step) => {
        step('/home opens');
        await page.goto('/home');
        const inbox = region(page, 'Inbox');
        await inbox.getByRole('article').first().waitFor();
        await expect(page.getByText(/^Loading/)).toHaveCount(0);
        await rest(page);
        for (const [answer, said] of [
          ['Accept', /^You're in: /],
          ['Decline', 'RSVP sent: Declined'],
        ] as const) {
          const order = inbox.getByRole('article').first();
          const name = (await order.getAttribute('aria-label')) ?? '';
          step(`an order: ${answer}`);
          await order.getByRole('button', { name: answer, exact: true }).click();
          await page.getByText(said).first().waitFor();
          if (name !== '') await expect(inbox.getByRole('article', { name, exact: true })).toHaveCount(0);
          await rest(page);
        }
        step('a status is set');
        const status = region(page, 'Your Status');
        await status.getByRole('radio', { name: 'Find Flight', exact: true }).click();
        await expect(status).toContainText('min left');
        await rest(page);
        await status.getByRole('radio', { name: 'Idle', exact: true }).click();
        await expect(status).not.toContainText('min left');
      },
    },
    {
      name: 'availability',
      people: [planner],
      run: async (page, step, round) => {
        step('/availability opens');
        await page.goto('/availability');
        await page.getByRole('button', { name: 'Weeknights 18–22' }).waitFor();
        await page.getByRole('grid').waitFor();
        await rest(page);
        step('a slot is painted');
        const time = `${WEEKDAYS[round]} 07:00 to 08:00`;
        await cell(page, time).click();
        await block(page, `${time}, Any Aircraft`).waitFor();
        await rest(page);
        step('the week is saved');
        await page.getByRole('button', { name: 'Save Availability' }).click();
        await page.waitForURL('**/home');
        await region(page, 'Inbox').waitFor();
        await expect(page.getByText(/^Loading/)).toHaveCount(0);
        await rest(page);
      },
    },
    {
      name: 'board',
      people: [admin],
      run: async (page, step, round) => {
        step('/admin opens');
        await page.goto(`/admin?day=${today().add({ days: 6 }).toString()}`);
        await dayChart(page).waitFor();
        await panel(page, 'Availability heat').getByRole('grid').waitFor();
        await panel(page, 'Recommended times').getByText('#1', { exact: true }).waitFor();
        await rest(page);
        const acts = Object.entries(interactionsOf(page));
        for (const [name, act] of acts) {
          step(name);
          await act(round + 1);
          await rest(page);
        }
        step('Create Mission opens');
        await panel(page, 'Recommended times').getByRole('link', { name: 'Use this time, number 1' }).click();
        await page.getByLabel('Start date').waitFor();
        await rest(page);
      },
    },
    {
      name: 'users',
      people: [admin],
      run: async (page, step) => {
        const rows = page.getByRole('table', { name: 'Users' }).locator('tbody tr');
        step('/admin/users opens');
        await page.goto('/admin/users');
        await expect(rows).toHaveCount(20);
        await rest(page);
        step('users are searched');
        await page.getByRole('searchbox').pressSequentially('crowd 77');
        await expect(rows.first()).toContainText('Crowd 77');
        await rest(page);
        step('users are sorted');
        await page.getByRole('button', { name: 'Email', exact: true }).click();
        await expect(page.getByRole('columnheader', { name: 'Email' })).toHaveAttribute('aria-sort', /./);
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        await rest(page);
        step('the next page of users');
        await openSecondPage(page, 'Users pages');
      },
    },
    {
      name: 'audit',
      people: [admin],
      run: async (page, step) => {
        const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
        step('/admin/audit opens');
        await page.goto('/admin/audit');
        await expect(rows).toHaveCount(20);
        await rest(page);
        step('the audit log is filtered');
        await page.getByLabel('Action').selectOption('role_added');
        await expect(page).toHaveURL(/action=role_added/);
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        await rest(page);
        step('the next page of the audit log');
        await openSecondPage(page, 'Audit log pages');
      },
    },
  ];
}
