/** The list of Discord servers and the page of one, against a real server: contents, posts and failures. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenGuild } from '#tests/harness/guilds.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations } from './faults.ts';
import { closePagesAfterEach, cutOff, cutOffLive, hearComplaints, holdBack, openAs } from './pages.ts';

const ALL = ['send', 'embed'] as const;
const WING = '889900112233445501';
const BARE = '889900112233445502';
const CROWD = '889900112233445503';
const LIST = '/admin/discord/guilds';

let service: Service;
let admin: Person;
let pilot: Person;

test.beforeAll(async () => {
  // a token that is never used: it makes the pages offer actions that need one
  service = await startService({ withClient: true, env: { DISCORD_TOKEN: 'not-a-token' } });
  admin = await givenAdmin(service);
  pilot = await givenPerson(service, { displayName: 'Ember' });
  const suspended = await givenPerson(service, { displayName: 'Ash' });
  await rows(sql`update app_user set roles = '{}' where id = ${suspended.id}`);
  await rows(sql`update app_user set wants_global_events = true where id = ${pilot.id}`);
  await givenGuild(service, WING, {
    name: 'Lantern Wing',
    memberCount: 1204,
    byDefault: 'briefs',
    channels: [
      { name: 'ready-room', topic: 'Talk before and after', can: ALL },
      { name: 'briefs', type: 'announcement', can: ALL },
      { name: 'debrief', can: ['send'] },
      { name: 'after-dark', isNsfw: true },
      { name: 'charts', type: 'forum' },
      { name: 'tonight', type: 'thread' },
      { name: 'Guard', type: 'other' },
    ],
    members: [
      { name: 'ember', userId: pilot.id, isModerator: true },
      { name: 'ash', userId: suspended.id },
      { name: 'zephyr' },
    ],
    events: [
      ['guild_installed', 'Lantern Wing', null],
      ...Array.from({ length: 8 }, (_, index) => ['member_joined', `guest ${index}`, null] as const),
      ['announcement_failed', 'debrief', 'Missing permission: Embed Links'],
      ['something_new', null, null],
    ],
  });
  await givenGuild(service, BARE, { name: 'Bare Field', status: 'disabled', channels: [{ name: 'ops', can: ALL }] });
  await givenGuild(service, CROWD, {
    name: 'Crowd',
    status: 'unavailable',
    memberCount: 500,
    channels: [{ name: 'rules' }],
    members: Array.from({ length: 500 }, (_, index) => ({ name: `guest ${index + 1}` })),
  });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

function rows<Row>(statement: Parameters<typeof query<Row>>[1]): Promise<Row[]> {
  return query<Row>(service.app.orm.em.fork(), statement);
}

const main = (page: Page): Locator => page.getByRole('main');
const alert = (page: Page): Locator => main(page).getByRole('alert');
const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const announcement = (page: Page): Locator => page.getByRole('region', { name: 'Registration Announcement' });
const row = (page: Page, name: string | RegExp): Locator => page.getByRole('row').filter({ hasText: name });
/** The text of a row's cells once it is shown, without text for screen readers only. */
async function cells(page: Page, name: string | RegExp): Promise<string[]> {
  await expect(row(page, name)).toBeVisible();
  return row(page, name).locator('th, td').allInnerTexts();
}

async function openAdmin(browser: Parameters<typeof openAs>[0], path: string): Promise<Page> {
  const page = await openAs(browser, service, admin, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(path);
  return page;
}

/** Replaces the answer of one procedure; other calls of the batch keep theirs. */
async function answerInstead(page: Page, procedure: string, answer: unknown): Promise<() => Promise<void>> {
  const namesOf = (url: URL): string[] => url.pathname.replace('/trpc/', '').split(',');
  const isCall = (url: URL): boolean => namesOf(url).includes(procedure);
  await page.route(isCall, async (route) => {
    const names = namesOf(new URL(route.request().url()));
    const others = names.length === 1 ? [] : await (await route.fetch()).json();
    const json = names.map((name, index) => (name === procedure ? answer : others[index]));
    await route.fulfill({ status: names.length === 1 ? statusOf(answer) : 207, json });
  });
  return () => page.unroute(isCall);
}

interface Refusal {
  error: { message: string; code: number; data: { httpStatus: number } };
}
const refusal = (httpStatus: number, message: string): Refusal => ({
  error: { message, code: -32603, data: { httpStatus } },
});
const result = (data: unknown) => ({ result: { data } });
const statusOf = (answer: unknown): number =>
  typeof answer === 'object' && answer !== null && 'error' in answer ? (answer as Refusal).error.data.httpStatus : 200;

test('the list shows and counts the servers, sorts them, copies ids and links to each', async ({ browser }) => {
  const page = await openAdmin(browser, LIST);
  const complaints = hearComplaints(page);
  await expect(heading(page)).toHaveText('Discord Guilds');
  await expect(main(page)).toContainText(/3 guilds · updated \d+ s ago/);
  expect(await cells(page, 'Lantern Wing')).toEqual([
    expect.stringMatching(/^L\s*Lantern Wing$/),
    WING,
    'ACTIVE',
    '1,204',
    '1',
    'Mar 8, 2026',
    expect.stringMatching(/^\w{3} \d+, \d{4} \d min ago$/),
    'View Details',
  ]);
  expect((await cells(page, 'Bare Field')).slice(2, 5)).toEqual(['DISABLED', 'Unknown', '0']);
  expect((await cells(page, 'Crowd')).slice(2, 5)).toEqual(['UNAVAILABLE', '500', '0']);
  // green, red and yellow, and never by colour alone: each has its own shape beside its text
  const looks = ['active', 'disabled', 'unavailable'].map((status) => page.getByText(status, { exact: true }));
  const shapes = await Promise.all(looks.map((badge) => badge.locator('path').getAttribute('d')));
  expect(new Set(shapes).size).toBe(3);
  const lamps = await Promise.all(looks.map((badge) => badge.getAttribute('style')));
  expect(lamps.map((style) => /--(\w+)-lamp/.exec(style ?? '')?.[1])).toEqual(['green', 'red', 'yellow']);

  const names = () => page.getByRole('rowheader').allInnerTexts();
  await page.getByRole('columnheader', { name: 'Total members' }).getByRole('button').click();
  await expect.poll(names).toEqual([/Crowd/, /Lantern Wing/, /Bare Field/].map((name) => expect.stringMatching(name)));

  await page.getByRole('button', { name: 'Copy the ID of Lantern Wing' }).click();
  await expect(page.getByRole('button', { name: 'ID copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(WING);

  await rows(sql`update guild set member_count = 77 where id = ${BARE}`);
  await button(page, 'Refresh').click();
  await expect(row(page, 'Bare Field')).toContainText('77');
  await rows(sql`update guild set member_count = null where id = ${BARE}`);

  const mend = await cutOff(page, 'discord.guilds');
  await button(page, 'Refresh').click();
  await expect(alert(page)).toHaveText('Unknown error occurred');
  await expect(row(page, 'Lantern Wing')).toBeVisible();
  await mend();
  await button(page, 'Refresh').click();
  await expect(alert(page)).toHaveCount(0);

  await page.getByRole('link', { name: 'View Details of Lantern Wing' }).click();
  await expect(heading(page)).toHaveText('Lantern Wing');
  await expect(heading(page)).toBeFocused();
  await page.getByRole('link', { name: '← Guilds' }).click();
  await expect(heading(page)).toHaveText('Discord Guilds');
  expect(complaints.filter((said) => !said.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
});

test('the list shows that it is loading, has failed, or is empty', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await cutOffLive(page);
  const mend = await answerInstead(page, 'discord.guilds', refusal(503, 'The server is busy.'));
  await page.goto(LIST);
  await expect(alert(page)).toContainText('The server is busy.');
  await mend();
  const release = await holdBack(page, 'discord.guilds');
  await button(page, 'Retry').click();
  await expect(page.getByText('Loading guilds...')).toBeVisible();
  release();
  await expect(main(page)).toContainText('3 guilds');
  await answerInstead(page, 'discord.guilds', result([]));
  await button(page, 'Refresh').click();
  await expect(page.getByText('No Guilds Found')).toBeVisible();
  await expect(main(page)).toContainText('0 guilds');
  await page.getByText('How to install').click();
  await expect(page.getByText('Choose the server. You need the Manage Server permission there.')).toBeVisible();
});

test('one server: numbers, members, channels and events, with the tab in the address', async ({ browser }) => {
  const page = await openAdmin(browser, `${LIST}/${WING}`);
  const complaints = hearComplaints(page);
  await expect(heading(page)).toHaveText('Lantern Wing');
  await expect(page).toHaveTitle('Lantern Wing · Discord Guild · Marshal');
  const tile = (label: string): Locator => main(page).locator('dl > div').filter({ hasText: label }).locator('dd');
  for (const [label, text] of [
    ['Total members', '1,204'],
    ['Registered members', /^1\s*0 %$/],
    ['Global event opt-ins', '1'],
    ['Postable channels', '2'],
    ['Installed', 'Mar 8, 2026'],
    ['Default channel', '#briefs'],
  ] as const) {
    await expect(tile(label)).toHaveText(text);
  }
  await expect(tile('Last seen')).toHaveText(/\d min ago$/);

  await expect(row(page, 'ember')).toHaveText(/Moderator.*Registered.*Linked.*Opted in.*Mar 8, 2026/);
  await expect(row(page, 'ember').getByRole('link', { name: /^Linked/ })).toHaveAttribute(
    'href',
    `/admin/users/${pilot.id}/availability`,
  );
  await expect(row(page, 'ash')).toHaveText(/Not Registered.*Linked.*Opted out/);
  await expect(row(page, 'zephyr')).toHaveText(/Not Registered.*No account/);
  await expect(row(page, 'zephyr').getByRole('link')).toHaveCount(0);

  await page.getByRole('tab', { name: 'Member Roster 3' }).focus();
  await page.keyboard.press('ArrowRight');
  const channels = page.getByRole('tab', { name: 'Channels 7' });
  await expect(channels).toBeFocused();
  await expect(channels).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/\?tab=channels$/);
  expect(await cells(page, /^ready-room/)).toEqual([
    'ready-room',
    'Talk before and after',
    'Text',
    'Yes',
    'Yes',
    'Yes',
    'Mar 8, 2026',
  ]);
  expect((await cells(page, /^debrief/)).slice(3, 6)).toEqual(['Yes', 'No', 'No']);
  await expect(row(page, 'after-dark')).toContainText('NSFW');
  expect(await findViolations(page)).toEqual([]);
  const icons = page.getByRole('rowheader').locator('svg');
  const drawn = await icons.evaluateAll((all) => new Set(all.map((icon) => icon.innerHTML)).size);
  expect(drawn).toBe(5); // text, announcement, thread, forum, other
  for (const type of ['Announcement', 'Forum', 'Thread', 'Other']) await expect(row(page, type)).toHaveCount(1);

  await page.reload();
  await expect(page.getByRole('tab', { name: 'Channels 7' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Recent Events 10' }).click();
  const events = page.getByRole('tabpanel').getByRole('row');
  await expect(events).toHaveCount(11);
  expect((await cells(page, 'Something new')).slice(1, 3)).toEqual(['—', '—']);
  await expect(row(page, 'Announcement failed')).toContainText('Missing permission: Embed Links');
  await expect(row(page, 'Announcement failed').locator('svg')).toHaveCount(1);
  await expect(row(page, 'Announcement failed').getByRole('time')).toHaveText(/\d{4}Z$/);
  await expect(page.getByRole('tabpanel')).toContainText('Times are UTC');
  // the type itself is shown beside its text
  await expect(row(page, 'Announcement failed')).toContainText('announcement_failed');
  await expect(row(page, 'Something new')).toContainText('something_new');
  await expect(page.getByText('Bot installed')).toHaveCount(0); // the eleventh
  expect(await findViolations(page)).toEqual([]);
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Channels 7' })).toHaveAttribute('aria-selected', 'true');
  expect(complaints).toEqual([]);
});

test('five hundred members are paged by fifty, and searched, filtered and sorted by the address', async ({
  browser,
}) => {
  const page = await openAdmin(browser, `${LIST}/${CROWD}?page=nonsense&sort=-name&tab=members`);
  await expect(main(page)).toContainText("Discord reports an outage of this server. You're seeing saved data.");
  await expect(main(page)).toContainText('500 members');
  const names = page.getByRole('rowheader');
  await expect(names).toHaveCount(50);
  await expect(names.first()).toHaveText('guest 500');
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expect(names.first()).toHaveText('guest 450');
  await expect(page).toHaveURL(/page=2/);
  await button(page, 'Previous page').click();
  await expect(names.first()).toHaveText('guest 500');
  await expect(button(page, 'Page 1')).toBeFocused();
  await page.getByRole('columnheader', { name: 'Username' }).getByRole('button').click();
  await expect(names.first()).toHaveText('guest 1');
  await page.getByLabel('Search members').pressSequentially('guest 49');
  await expect(main(page)).toContainText('11 of 500 members');
  await expect(names).toHaveText([/^guest 49$/, ...Array.from({ length: 10 }, (_, index) => `guest 49${index}`)]);
  await page.reload();
  await expect(page.getByLabel('Search members')).toHaveValue('guest 49');
  await expect(names).toHaveCount(11);
  await page.getByText('Registered', { exact: true }).first().click();
  await expect(page.getByText('No member matches')).toBeVisible();
});

test('failures of resending are shown in the words of the specification', async ({ browser }) => {
  const page = await openAdmin(browser, `${LIST}/${WING}`);
  const resend = button(page, 'Resend Registration');
  const expectSaid = async (sentence: string): Promise<void> => {
    await resend.click();
    await expect(alert(page)).toHaveText(sentence);
    await expect(resend).toBeEnabled();
    await expect(announcement(page).getByRole('status')).toBeHidden();
  };
  const noChannel = 'No suitable channel found for posting registration announcement';
  for (const [answer, sentence] of [
    [result({ success: false, errorMessage: null }), 'Failed to send registration announcement'],
    [result({ success: false, errorMessage: noChannel }), noChannel],
    [refusal(500, 'Unknown error occurred'), 'Failed to send registration: 500 - Unknown error occurred'],
    [
      refusal(400, 'This channel does not exist in this server'),
      'Failed to send registration: 400 - This channel does not exist in this server',
    ],
  ] as const) {
    const mend = await answerInstead(page, 'discord.resendRegistration', answer);
    await expectSaid(sentence);
    await mend();
  }
  const mend = await cutOff(page, 'discord.resendRegistration');
  await expectSaid('Unknown error occurred');
  await mend();
  await page.route(/resendRegistration/, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  );
  await expectSaid('Failed to send registration: 502 - <h1>Bad Gateway</h1>');

  for (const [id, note] of [
    [BARE, "The bot is no longer in this server. You're seeing saved data."],
    [CROWD, "Discord reports an outage of this server. You're seeing saved data."],
  ] as const) {
    await page.goto(`${LIST}/${id}`);
    await expect(announcement(page)).toContainText('No postable channels available. Registration cannot be sent.');
    await expect(button(page, 'Resend Registration')).toBeDisabled();
    await expect(main(page)).toContainText(note);
  }
  expect(await findViolations(page)).toEqual([]);
});

test('an unknown server and a failed load have their sentences, the latter with Retry; pilots and visitors see no server', async ({
  browser,
}) => {
  const page = await openAdmin(browser, `${LIST}/404`);
  await expect(alert(page)).toContainText('Guild not found');
  await expect(page.getByRole('link', { name: '← Guilds' })).toBeVisible();
  await alert(page).getByRole('link', { name: 'Discord servers' }).click();
  await page.waitForURL(`**${LIST}`);

  const failing = await openAs(browser, service, admin);
  // a reconnecting stream would make the page reload its data before Retry is pressed
  await cutOffLive(failing);
  const mend = await answerInstead(failing, 'discord.guild', refusal(500, 'Unknown error occurred'));
  const release = await holdBack(failing, 'discord.guild');
  await failing.goto(`${LIST}/${WING}`);
  await expect(failing.getByText('Loading guild details...')).toBeVisible();
  release();
  await expect(alert(failing)).toContainText('Failed to fetch guild details: 500');
  await mend();
  const connect = await cutOff(failing, 'discord.guild');
  await button(failing, 'Retry').click();
  // from its start: the alert before, still there for a moment, ends with this sentence
  await expect(alert(failing)).toHaveText(/^Unknown error occurred/);
  await connect();
  await button(failing, 'Retry').click();
  await expect(heading(failing)).toHaveText('Lantern Wing');

  const visitor = await openAs(browser, service, null);
  await visitor.goto(`${LIST}/${WING}`);
  await expect(visitor).toHaveURL(`${service.url}/login`);
  const flyer = await openAs(browser, service, pilot);
  const asked: string[] = [];
  flyer.on('request', (request) => asked.push(request.url()));
  await flyer.goto(`${LIST}/${WING}`);
  await expect(flyer).toHaveURL(`${service.url}/home`);
  expect(asked.filter((url) => url.includes('discord.guild'))).toEqual([]);
});
