/** The side rule on the pages and on paper; `tests/api/missions/side-rule.test.ts` has the other surfaces. */
import { expect, test } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import {
  findLeaks,
  givenTwoSides,
  KINDS,
  SECRECIES,
  type Secrecy,
  type TwoSides,
  VIEWS,
} from '#tests/harness/side-rule.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let worlds: Record<Secrecy, TwoSides>;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  const admin = await givenAdmin(service);
  worlds = {
    secret: await givenTwoSides(service, admin, 'secret'),
    open: await givenTwoSides(service, admin, 'open'),
  };
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const CASES = SECRECIES.flatMap((secrecy) => KINDS.map((kind) => [secrecy, kind] as const)).filter(
  // the other kinds differ from these in their orders only, which the secret mission has too
  ([secrecy, kind]) => secrecy === 'secret' || ['blue', 'standby', 'visitor'].includes(kind),
);

for (const [secrecy, kind] of CASES) {
  test(`${secrecy} sides: the ${kind} pilot reads nothing of another side, on the pages and on paper`, async ({
    browser,
  }) => {
    const world = worlds[secrecy];
    const person = world.people[kind];
    const orders = await query<{ id: string }>(
      service.app.orm.em.fork(),
      sql`select id from frag_order where pilot_id = ${person.id}`,
    );
    const own = ([0, 1] as const).find((side) => VIEWS[secrecy][kind][side] === 'plan');
    const frequency = own === undefined ? undefined : world.secrets[own].frequencies[1];
    const page = await openAs(browser, service, person);
    let shown = '';
    for (const path of [
      '/home',
      '/missions',
      `/missions/${world.missionId}`,
      ...orders.map(({ id }) => `/orders/${id}`),
    ]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[data-unsettled]')).toHaveCount(0);
      for (const media of ['screen', 'print'] as const) {
        await page.emulateMedia({ media });
        await page.evaluate(
          (event) => window.dispatchEvent(new Event(event)),
          media === 'print' ? 'beforeprint' : 'afterprint',
        );
        // everything in the document, also what is hidden on the screen
        const text = await page.locator('body').evaluate((body) => body.textContent);
        expect(findLeaks(text ?? '', kind, world), `${path}, ${media}`).toEqual([]);
        shown += text;
      }
    }
    expect(shown).toContain('Op Two Sides');
    if (frequency !== undefined) expect(shown).toContain(frequency);
  });
}
