/** The users page in tests: its people, its parts by role and name, and refusals of its calls. */
import { expect, type Page } from '@playwright/test';
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import type { Service } from '#tests/harness/service.ts';

export const CROWD = 500;
/** Call signs that a spreadsheet, a CSV reader or a sort might stumble over. */
const ODD = ['=1+1', 'Comma, "Quote"', 'Ångström', null] as const;
/** the crowd, the odd ones, Ops and the pilot */
export const TOTAL = CROWD + ODD.length + 2;

/** The crowd and the odd ones. */
export async function givenUsers(service: Service): Promise<void> {
  await givenCrowd(service, CROWD);
  for (const [index, name] of ODD.entries()) {
    const id = newId();
    const email = name === '=1+1' ? `${id}@discord.invalid` : `odd-${index}@example.org`;
    await query(
      service.app.orm.em.fork(),
      sql`insert into app_user (id, email, email_key, display_name, time_zone, roles, created_at, updated_at)
          values (${id}, ${email}, ${email}, ${name}, 'UTC', '{user}', '2025-11-03T20:30:00Z', now())`,
    );
  }
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const menuOf = (page: Page, name: string) => button(page, `Actions for ${name}`);
export const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
export const done = (page: Page) => page.getByRole('main').getByRole('alert');
export const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' });
export const names = (page: Page) => page.getByRole('rowheader').allTextContents();
export const search = (page: Page): string => new URL(page.url()).search;

/** The page with its list; the browser's own questions are none of its ways. */
export async function openUsers(page: Page, address = ''): Promise<void> {
  page.on('dialog', () => {
    throw new Error('a question of the browser');
  });
  await page.goto(`/admin/users${address}`);
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
}

/** Choose from a person's menu. */
export async function choose(page: Page, name: string, action: string): Promise<void> {
  await menuOf(page, name).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** The server refuses a call with this sentence. */
export async function refuse(page: Page, procedure: string, message: string): Promise<() => Promise<void>> {
  const isCall = (url: URL): boolean => url.pathname.includes(procedure);
  const error = { message, code: -32_009, data: { code: 'CONFLICT', refusal: 'CONFLICT', httpStatus: 409 } };
  await page.route(isCall, (route) => route.fulfill({ status: 409, json: [{ error }] }));
  return () => page.unroute(isCall);
}
