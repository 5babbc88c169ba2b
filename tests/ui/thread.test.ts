/** A mission's thread on the pages of pilots and admins: writing by keyboard, live in a second browser, edits, removals, lost networks. */
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { givenTwoSides } from '#tests/harness/side-rule.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, openAs } from './pages.ts';

let service: Service;
let admin: Person;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();
// pilots with times would get the seats of the next mission
test.afterEach(() => retirePilots(service));

const threadOf = (page: Page) => page.getByRole('log', { name: 'Thread' });
const commentsIn = (page: Page) => threadOf(page).getByRole('article');
const boxOf = (page: Page) => page.getByLabel('Write a comment');

test('a comment is written, read live elsewhere, edited and deleted', async ({ browser }) => {
  const pilot = await givenPilot(service);
  const other = await givenPerson(service, { displayName: 'Redwing' });
  const { mission } = await givenMissionIn(service, admin, 30, { name: 'Op Iron Hound' });
  const order = await orderOf(pilot);
  const [mine, theirs] = [await openAs(browser, service, pilot), await openAs(browser, service, other)];
  await mine.goto(`/orders/${order.id}`);
  await theirs.goto(`/missions/${mission.id}`);
  await expect(mine.getByText('No comments yet.')).toBeVisible();
  await expect(theirs.getByText('No comments yet.')).toBeVisible();

  await boxOf(mine).focus();
  await mine.keyboard.press('Control+Enter');
  await expect(boxOf(mine)).toHaveAccessibleDescription(/Please write something first/);
  await mine.keyboard.type('Tanker **north**');
  await mine.keyboard.press('Control+Enter');
  await expect(commentsIn(mine)).toHaveCount(1);
  await expect(boxOf(mine)).toHaveValue('');
  await expect(boxOf(mine)).toBeFocused();
  await expect(commentsIn(theirs).getByText('north')).toHaveJSProperty('tagName', 'STRONG');
  await expect(theirs.getByText(`New comment by ${pilot.displayName}`)).toBeAttached();
  await expect(commentsIn(theirs).getByRole('button')).toHaveCount(0);

  await mine.getByRole('button', { name: 'Edit your comment' }).focus();
  await mine.keyboard.press('Enter');
  await expect(mine.getByLabel('Your comment', { exact: true })).toBeFocused();
  await mine.keyboard.press('Escape');
  await expect(commentsIn(mine)).toBeFocused();
  await mine.getByRole('button', { name: 'Edit your comment' }).click();
  await mine.getByLabel('Your comment', { exact: true }).fill('Tanker south');
  await mine.keyboard.press('Control+Enter');
  await expect(commentsIn(mine)).toContainText('edited');
  await expect(commentsIn(theirs)).toContainText('Tanker south');

  await mine.getByRole('button', { name: 'Delete your comment' }).click();
  await mine.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(commentsIn(mine)).toHaveCount(0);
  await expect(threadOf(mine)).toBeFocused();
  await expect(commentsIn(theirs)).toHaveCount(0);
});

test('an admin removes a comment in sight of all, and what changed stands in line', async ({ browser }) => {
  const pilot = await givenPerson(service, { displayName: 'Redwing' });
  const { mission } = await givenMissionIn(service, admin, 30, { name: 'Op Iron Hound' });
  await pilot.client.call('POST', `/missions/${mission.id}/thread`, { text: 'Says who?' });
  const theirs = await openAs(browser, service, pilot);
  await theirs.goto(`/missions/${mission.id}`);
  await expect(commentsIn(theirs)).toContainText('Says who?');
  const board = await openAs(browser, service, admin);
  await board.goto(`/admin/missions/${hoursFromNow(30).slice(0, 10)}?mission=${mission.id}&tab=thread`);
  await board.getByRole('button', { name: 'Remove the comment by Redwing' }).click();
  await board.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(commentsIn(board)).toContainText('Removed by an admin');
  await expect(commentsIn(theirs)).toContainText('Removed by an admin');
  await admin.client.call('PUT', `/admin/missions/${mission.id}`, { name: 'Op Steel Hound' });
  await expect(threadOf(board).getByRole('listitem').last()).toContainText('“Op Iron Hound” to “Op Steel Hound”');
});

test('without a network the text stays in the box, and is sent once', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const { mission } = await givenMissionIn(service, admin, 40);
  const page = await openAs(browser, service, pilot);
  await page.goto(`/missions/${mission.id}`);
  const mend = await cutOff(page, 'pilot.thread.add');
  await boxOf(page).fill('Ready');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Not sent. Your text is still in the box.')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('Failed to send your comment');
  await expect(boxOf(page)).toHaveValue('Ready');
  await mend();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(commentsIn(page)).toHaveText([/Ready/]);
  await expect(boxOf(page)).toHaveValue('');
});

test('secret sides say who reads a comment; long and right-to-left texts fit on a phone, in both schemes', async ({
  browser,
}) => {
  const { missionId, people } = await givenTwoSides(service, admin, 'secret');
  const thread = `/missions/${missionId}/thread`;
  await people.blue.client.call('POST', thread, { text: 'Donaudampfschifffahrtsgesellschaft'.repeat(6) });
  await people.blue.client.call('POST', thread, { text: 'הגענו לנקודה Viper' });
  await admin.client.call('POST', thread, { text: 'To all of you', side: null });
  const phone = { viewport: { width: 390, height: 844 } };
  const [blue, red, visitor, board] = [
    await openAs(browser, service, people.blue, phone),
    await openAs(browser, service, people.red, phone),
    await openAs(browser, service, people.visitor, phone),
    await openAs(browser, service, admin, phone),
  ];
  for (const page of [blue, red, visitor]) await page.goto(`/missions/${missionId}`);
  await expect(commentsIn(blue)).toHaveCount(3);
  await expect(blue.getByText('Only Blue and admins read it.')).toBeVisible();
  await expect(commentsIn(red)).toHaveText([/To all of you/]);
  await expect(visitor.getByText('Once you have a seat, you read and write')).toBeVisible();
  await expect(boxOf(visitor)).toHaveCount(0);
  expect(await overflowOf(blue)).toBe(0);
  expect(await findInSchemes(blue)).toEqual([]);

  await board.goto(`/admin/missions/${hoursFromNow(50).slice(0, 10)}?mission=${missionId}&tab=thread`);
  await board.getByText('Red', { exact: true }).last().click();
  await expect(board.getByText('Only Red and admins read it.')).toBeVisible();
  await boxOf(board).fill('Red alone');
  await board.keyboard.press('Control+Enter');
  await expect(commentsIn(red)).toHaveText([/To all of you/, /Red alone/]);
  await expect(commentsIn(board)).toHaveCount(4);
  expect(await findInSchemes(board)).toEqual([]);
  await expect(commentsIn(blue)).toHaveCount(3);
});
