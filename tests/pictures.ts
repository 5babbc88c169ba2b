/** `npm run docs -- pictures`: all pictures of the README, of a sandbox with the sample community that it starts for them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Browser, type Page } from '@playwright/test';
import { ROOT } from '#server/cli/programs.js';
import { CHROMIUM_ARGS, ensureChromium, findHeadlessShell } from '#tests/harness/chromium.js';
import { writeMission } from '#tests/harness/mission-file.ts';

const PORTS = { PORT: '3030', SANDBOX_PORT: '3031' };
const SITE = `http://127.0.0.1:${PORTS.PORT}`;
const SANDBOX = `http://localhost:${PORTS.SANDBOX_PORT}`;
const NEWCOMER = 'afterglow';
const WIDE = 1240;

type Scheme = 'light' | 'dark';

const started = spawn(process.execPath, [join(ROOT, 'tests', 'discord', 'sandbox.js')], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'pipe'],
  env: { ...process.env, ...PORTS },
});
/** The admin's sign-in is among it. */
const said: string[] = [];
try {
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: started.stderr }).on('line', (line) => {
      said.push(line);
      if (line.startsWith('Discord sandbox:')) resolve();
    });
    started.once('exit', () => reject(new Error('The sandbox has ended.')));
  });
  const executablePath = (await findHeadlessShell()) ?? (await ensureChromium());
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  const admin = await signInAsAdmin(browser);
  await publishLive(admin);
  await registration(browser);
  await missionCard(browser);
  await order(browser);
  await guildPage(admin);
  await home(browser);
  await availability(browser);
  await board(browser);
  await missionFile(browser);
  await browser.close();
} finally {
  started.kill('SIGTERM');
  await once(started, 'exit');
}

function open(browser: Browser, scheme: Scheme, height: number, width = 1200): Promise<Page> {
  return browser.newPage({
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
}

async function save(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(ROOT, '.github', `${name}.png`) });
}

/** Sign in as the first account of this kind that the sandbox has printed. */
async function signIn(page: Page, kind: 'admin' | 'pilot'): Promise<void> {
  const [, email = '', password = ''] =
    new RegExp(`^ {2}${kind} {3}(\\S+) {3}(\\S+)$`, 'm').exec(said.join('\n')) ?? [];
  await page.goto(`${SITE}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('**/home');
}

async function signInAsAdmin(browser: Browser): Promise<Page> {
  const page = await open(browser, 'light', 900);
  await signIn(page, 'admin');
  return page;
}

async function publishLive(admin: Page): Promise<void> {
  await admin.goto(`${SITE}/admin/discord/guilds`);
  await admin.getByRole('link', { name: 'Lantern Wing' }).first().click();
  await admin.getByRole('button', { name: 'Resend Registration', exact: true }).click();
  await admin.getByText('Registration announcement sent').waitFor();
}

async function enter(page: Page, person: string): Promise<void> {
  await page.goto(SANDBOX);
  await page.getByLabel('You are').selectOption({ label: person });
}

async function registration(browser: Browser): Promise<void> {
  const page = await open(browser, 'light', 620);
  await enter(page, NEWCOMER);
  await page.getByRole('button', { name: '# mission-briefs', exact: true }).click();
  await page.getByRole('button', { name: 'Register', exact: true }).last().click();
  await page.getByText('Only you can see this').waitFor();
  await save(page, 'discord-register');
}

async function missionCard(browser: Browser): Promise<void> {
  const page = await open(browser, 'dark', 860);
  await enter(page, 'Vesper');
  await page.getByRole('button', { name: '# mission-briefs', exact: true }).click();
  const card = page
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: 'Take a seat', exact: true }) });
  await card
    .filter({ hasText: /, [1-9]\d* open/ })
    .first()
    .evaluate((article) => article.scrollIntoView({ block: 'start' }));
  await save(page, 'discord-card');
}

async function order(browser: Browser): Promise<void> {
  const page = await open(browser, 'dark', 860);
  await enter(page, 'Vesper');
  await page.getByRole('button', { name: /^Marshal/ }).click();
  const accept = page.getByRole('button', { name: 'Accept', exact: true }).last();
  await accept.evaluate((button) => button.closest('article')?.scrollIntoView({ block: 'center' }));
  await save(page, 'discord-order');
}

async function guildPage(admin: Page): Promise<void> {
  await admin.reload();
  await admin.getByRole('row').filter({ hasText: NEWCOMER }).waitFor();
  await save(admin, 'discord-guild');
}

async function home(browser: Browser): Promise<void> {
  const page = await open(browser, 'dark', 880, WIDE);
  await signIn(page, 'pilot');
  await page.getByRole('button', { name: 'Accept', exact: true }).first().waitFor();
  await page.getByRole('heading', { name: 'Accepted Missions' }).waitFor();
  await save(page, 'home');
}

async function availability(browser: Browser): Promise<void> {
  const page = await open(browser, 'light', 760, WIDE);
  await signIn(page, 'pilot');
  await page.goto(`${SITE}/availability`);
  await page.getByRole('button', { name: 'Save Availability', exact: true }).first().waitFor();
  await save(page, 'availability');
}

async function board(browser: Browser): Promise<void> {
  const page = await open(browser, 'dark', 1680, 1440);
  await signIn(page, 'admin');
  await page.goto(`${SITE}/admin`);
  await page
    .getByRole('link', { name: /^Use this time/ })
    .first()
    .waitFor();
  await page.getByRole('heading', { name: /^Missions / }).waitFor();
  await page.waitForLoadState('networkidle');
  await save(page, 'board');
}

async function missionFile(browser: Browser): Promise<void> {
  const page = await open(browser, 'dark', 760);
  await signIn(page, 'admin');
  await page.goto(`${SITE}/admin/missions`);
  const units = [{}, {}, {}, {}];
  const file = writeMission({
    sortie: 'Night of the Rooks',
    groups: [
      { name: 'Viper', callsign: 'Viper', task: 'SEAD', units },
      { name: 'Hornet', type: 'FA-18C_hornet', callsign: 'Colt', task: 'Escort', frequency: 264, units },
      { name: 'Hind', type: 'Mi-24P', side: 'red', kind: 'helicopter', callsign: null, task: 'CAS', units },
    ],
  });
  await page
    .getByLabel('Mission file', { exact: true })
    .setInputFiles({ name: 'rooks.miz', mimeType: 'application/zip', buffer: file });
  await page.getByRole('button', { name: /^Fill in \(/ }).waitFor();
  await save(page, 'mission-file');
}
