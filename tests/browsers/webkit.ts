/** WebKitGTK's MiniBrowser on a virtual screen, driven by WebDriver. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Builder, Capabilities, Origin, type WebDriver } from 'selenium-webdriver';
import { expect, vi } from 'vitest';
import type { Tab } from './tab.ts';

/** Shrinks the tool bar, which is wider than a phone and determines the width of the window. */
const GTK_STYLE = '* { min-width: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; }\n';
const GTK_SETTINGS = '[Settings]\ngtk-enable-animations=0\n';
const SCREEN = '1600x1200x24';
const PATIENCE = { timeout: 20_000, interval: 50 };

export async function openWebKit({ driver, screen }: { driver: string; screen: string }): Promise<Tab> {
  const home = mkdtempSync(join(tmpdir(), 'marshal-webkit-'));
  mkdirSync(join(home, 'gtk-3.0'));
  writeFileSync(join(home, 'gtk-3.0', 'gtk.css'), GTK_STYLE);
  writeFileSync(join(home, 'gtk-3.0', 'settings.ini'), GTK_SETTINGS);
  const programs: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const program of programs.toReversed()) {
      if (program.exitCode === null && program.kill()) await once(program, 'exit');
    }
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const display = spawn(screen, ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    programs.push(display);
    const number = String(await readFirst(display)).trim();
    const port = await freePort();
    const server = spawn(driver, [`--port=${port}`], {
      stdio: 'ignore',
      env: {
        ...process.env,
        // by it WebKit chooses whether a time field has 24 hours or 12
        LC_ALL: 'C.UTF-8',
        DISPLAY: `:${number}`,
        GDK_BACKEND: 'x11',
        LIBGL_ALWAYS_SOFTWARE: '1',
        XDG_CONFIG_HOME: home,
        XDG_DATA_HOME: home,
        XDG_CACHE_HOME: home,
      },
    });
    programs.push(server);
    const url = `http://127.0.0.1:${port}`;
    await vi.waitFor(() => fetch(`${url}/status`), PATIENCE);
    const browser = await new Builder()
      .usingServer(url)
      .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
      .build();
    return await tabOf(browser, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function tabOf(browser: WebDriver, stop: () => Promise<void>): Promise<Tab> {
  const capabilities = await browser.getCapabilities();
  return {
    engine: `WebKitGTK ${capabilities.get('browserVersion')}`,
    open: (address) => browser.get(address),
    ask: (question, ...args) => browser.executeScript(question, ...args),
    draw: async ([from, ...rest]) => {
      if (!from) return;
      const actions = browser.actions().move({ ...whole(from), duration: 0, origin: Origin.VIEWPORT });
      actions.press();
      for (const point of rest) actions.move({ ...whole(point), duration: 100, origin: Origin.VIEWPORT });
      await actions.release().perform();
    },
    type: (text) => browser.actions().sendKeys(text).perform(),
    resize: async (width, height) => {
      const inner = () => browser.executeScript<[number, number]>('return [innerWidth, innerHeight]');
      const outer = await browser.manage().window().getRect();
      const [, shown] = await inner();
      // the difference between window and page stays the same
      await browser
        .manage()
        .window()
        .setRect({ x: 0, y: 0, width, height: height + outer.height - shown });
      await vi.waitFor(async () => expect((await inner())[0]).toBe(width), PATIENCE);
    },
    setCookies: async (_origin, cookies) => {
      for (const cookie of cookies) await browser.manage().addCookie({ ...cookie, path: '/', httpOnly: true });
    },
    clearCookies: () => browser.manage().deleteAllCookies(),
    picture: async () => Buffer.from(await browser.takeScreenshot(), 'base64'),
    close: async () => {
      await browser.quit().catch(() => undefined);
      await stop();
    },
  };
}

const whole = ({ x, y }: { x: number; y: number }) => ({ x: Math.round(x), y: Math.round(y) });

/** The first line that the display writes to its fourth channel: its number. */
async function readFirst(display: ChildProcess): Promise<unknown> {
  const channel = display.stdio[3];
  if (!channel) throw new Error('The display has no channel to tell its number.');
  const failed = once(display, 'exit').then(([code]) => {
    throw new Error(`Xvfb ended with code ${String(code)}.`);
  });
  const [number] = await Promise.race([once(channel, 'data'), failed]);
  return number;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
