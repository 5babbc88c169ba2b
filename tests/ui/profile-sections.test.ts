/** The sections of the profile: their navigation, the links to panels from before there were sections, and unsaved changes. */
import { expect, test } from '@playwright/test';
import { givenPerson } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { openProfile, region } from './profiles.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

test('sections are opened by keyboard, say so by their heading, and ask before unsaved changes are lost', async ({
  browser,
}) => {
  const page = await openProfile(browser, service, await givenPerson(service), '/profile/me');
  const sections = page.getByRole('navigation', { name: 'Profile' });
  const heading = page.getByRole('heading', { level: 1 });
  const open = (name: string) => sections.getByRole('link', { name }).press('Enter');
  await open('Security');
  await expect(heading).toHaveText('Security');
  await expect(heading).toBeFocused();
  await expect(page).toHaveTitle('Security · Profile · Marshal');
  await expect(sections.locator('[aria-current=page]')).toHaveText('Security');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Current Password', { exact: true })).toBeFocused();

  await open('Notifications');
  const news = page.getByRole('checkbox', { name: 'Open missions and community news' });
  const save = page.getByRole('button', { name: 'Save Notifications' });
  await expect(save).not.toBeInViewport();
  await news.press('Space');
  await expect(save).toBeInViewport();
  await open('Data');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(question).toContainText('Not saved yet: Notify me about.');
  await page.keyboard.press('Escape');
  await expect(news).toBeChecked();
  await open('Data');
  await question.getByRole('button', { name: 'Leave' }).press('Enter');
  await expect(heading).toHaveText('Data');
  await open('Notifications');
  await expect(news).not.toBeChecked();
});

test('an old link to a panel opens its section with the panel in focus, and an unknown section the first one', async ({
  browser,
}) => {
  const page = await openAs(browser, service, await givenPerson(service));
  for (const [anchor, path, panel] of [
    ['identity', '/profile/me', 'Who you are'],
    ['appearance', '/profile/me', 'Appearance'],
    ['aircraft', '/profile/aircraft', 'Aircraft I fly'],
    ['notifications', '/profile/notifications', 'Notify me about'],
    ['push', '/profile/notifications', 'Notifications on this device'],
    ['calendar', '/profile/calendar', 'Calendar'],
    ['password', '/profile/security', 'Password'],
    ['two-step', '/profile/security', 'Two-step sign-in'],
    ['sessions', '/profile/security', 'Sessions'],
    ['sign-ins', '/profile/security', 'Recent sign-ins'],
    ['tokens', '/profile/developer', 'Personal access tokens'],
    ['data', '/profile/data', 'Your data'],
    ['reliability', '/profile/record', 'Reliability'],
  ] as const) {
    await page.goto(`/profile#${anchor}`);
    await expect(page).toHaveURL(`${service.url}${path}#${anchor}`);
    await expect(region(page, panel)).toBeFocused();
    await expect(region(page, panel)).toBeInViewport();
  }
  for (const path of ['/profile', '/profile/wings', '/profile#wings']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Me');
  }
});
