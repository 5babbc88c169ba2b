/** A recording by Tacview on a mission that is over: what it proposes, names that are nobody's, one click that confirms all. */
import { expect, test, type Page } from '@playwright/test';
import { copy } from '#shared/copy.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenFlown, writeRecording } from '#tests/harness/recordings.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const choose = (page: Page, file: string) =>
  page.getByLabel('Tacview recording').setInputFiles({
    name: 'op.txt.acmi',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(file),
  });

test('a recording is dropped, a name gets its pilot, and one click marks who flew', async ({ browser }) => {
  const flown = await givenFlown(service, admin, ['Vesper', 'Raven', 'Goose', 'Merlin']);
  const merlin = flown.pilots[3]?.orderId ?? '';
  await admin.client.call('PUT', `/admin/missions/${flown.id}/attendance`, {
    attendance: [{ orderId: merlin, attendance: 'excused' }],
  });
  const page = await openAs(browser, service, admin);
  await page.goto(`/admin/missions/${flown.startsAt.toISOString().slice(0, 10)}?mission=${flown.id}`);
  const panel = page.getByRole('region', { name: 'Attendance' });
  await choose(page, 'Dear diary');
  await expect(panel.getByText(copy.recordingNotAcmi)).toBeVisible();
  await choose(
    page,
    writeRecording({
      recordedAt: flown.startsAt,
      sorties: [
        { pilot: '[JG54] Vesper', from: 10, to: 100 },
        { pilot: 'raven | 1-2', aircraft: 'A-10C_2', from: 20, to: 80 },
        { pilot: 'xX_Ghost_Xx', from: 30, to: 70 },
        { pilot: 'Merlin', from: 0, to: 90 },
      ],
    }),
  );
  await expect(panel.getByText('2 flew, 1 in another seat, 1 not seen, 1 name unknown')).toBeVisible();
  await expect(panel.getByText(copy.recordingNotAcmi)).toHaveCount(0);
  await expect(panel.getByText(/^Flew 90 min, F-16C_50, \d{4}Z to \d{4}Z$/)).toHaveCount(2);
  await expect(panel.getByText(/^In another seat 60 min, A-10C_2/)).toBeVisible();

  await panel.getByLabel('xX_Ghost_Xx is').selectOption({ label: 'Goose' });
  await expect(panel.getByText('3 flew, 1 in another seat')).toBeVisible();
  await expect(panel.getByText('xX_Ghost_Xx is Goose, as an admin said')).toBeVisible();
  await expect(panel.getByRole('radio', { checked: true })).toHaveCount(1);

  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowOf(page)).toBe(0);
  expect(await findInSchemes(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Confirm 3' }).click();
  await expect(panel.getByText('Everyone is marked.')).toBeVisible();
  const markOf = (name: string) => panel.getByRole('radiogroup', { name: `Attendance of ${name}` });
  await expect(markOf('Merlin').getByLabel('Excused')).toBeChecked();
  await expect(markOf('Goose').getByLabel('Attended')).toBeChecked();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(panel.getByText('3 pilots not marked yet')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Confirm 3' })).toBeVisible();
});
