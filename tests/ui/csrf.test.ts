/** Pages of other sites in a real browser that is signed in: their forms, requests and frames change nothing (CSRF). */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, type Page } from '@playwright/test';
import { createHttp } from '#server/http/http.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let pilot: Person;
/** the other site, which shares the host with ours, so that browsers send it our cookies */
let foreign: Server;
let foreignUrl: string;
/** a server that believes the other site */
let careless: Server;

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://localhost:${(server.address() as AddressInfo).port}`)),
  );

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  pilot = await givenPerson(service);
  foreign = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Win a jet</title>');
  });
  foreignUrl = await listen(foreign);
});
test.afterAll(async () => {
  for (const server of [foreign, careless]) {
    server?.closeAllConnections();
    server?.close();
  }
  await service.stop();
});
closePagesAfterEach();

/** What the other site sends, all of it, and waits for. */
async function attack(page: Page, target: string): Promise<string[]> {
  await page.goto(foreignUrl);
  const path = `/api/v1/users/${pilot.id}/status`;
  return page.evaluate(
    async ({ url, trpc, logout, body }) => {
      const outcomes: string[] = [];
      const send = async (name: string, to: string, init: RequestInit) => {
        const outcome = await fetch(to, { credentials: 'include', ...init }).then(
          ({ type, status }) => `${type} ${status}`,
          () => 'kept by the browser',
        );
        outcomes.push(`${name}: ${outcome}`);
      };
      const json = { 'content-type': 'application/json' };
      await send('JSON', url, { method: 'PUT', headers: json, body });
      await send('JSON to tRPC', trpc, { method: 'POST', headers: json, body });
      await send('text', trpc, { method: 'POST', mode: 'no-cors', body });
      await send('nothing', logout, { method: 'POST', mode: 'no-cors' });
      const submit = (action: string, enctype: string, frameName: string) =>
        new Promise<void>((resolve) => {
          const frame = document.createElement('iframe');
          frame.name = frameName;
          document.body.append(frame);
          const form = Object.assign(document.createElement('form'), {
            method: 'post',
            action,
            enctype,
            target: frameName,
          });
          const field = Object.assign(document.createElement('input'), {
            type: 'hidden',
            name: body.slice(0, -1),
            value: '"}',
          });
          form.append(field);
          document.body.append(form);
          frame.addEventListener('load', () => resolve());
          form.submit();
        });
      for (const enctype of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']) {
        await submit(trpc, enctype, `frame-${enctype}`);
        await submit(logout, enctype, `logout-${enctype}`);
      }
      return outcomes;
    },
    {
      url: `${target}${path}`,
      trpc: `${target}/trpc/pilot.setStatus`,
      logout: `${target}/api/v1/auth/logout`,
      body: JSON.stringify({ id: pilot.id, state: 'dnd' }),
    },
  );
}

const isSignedIn = async (): Promise<boolean> => (await pilot.client.call('GET', '/auth/me')).status === 200;

test('forms, requests and frames of another site change nothing', async ({ browser }) => {
  const page = await openAs(browser, service, pilot);
  const before = await takeDigest(service);
  expect(await attack(page, service.url)).toEqual([
    'JSON: kept by the browser',
    'JSON to tRPC: kept by the browser',
    'text: kept by the browser',
    'nothing: kept by the browser',
  ]);
  expect(await takeDigest(service)).toEqual(before);
  expect(await isSignedIn()).toBe(true);
});

test('no page of ours can be shown in a frame of another site', async ({ browser }) => {
  const page = await openAs(browser, service, pilot);
  await page.goto(foreignUrl);
  const refusals: string[] = [];
  page.on('console', (message) => refusals.push(message.text()));
  await page.evaluate((url) => {
    const frame = document.createElement('iframe');
    frame.src = url;
    document.body.append(frame);
  }, `${service.url}/home`);
  await expect.poll(() => refusals.join('\n')).toMatch(/frame-ancestors/);
});

test('a server that believes the other site is found', async ({ browser }) => {
  const http = createHttp(service.app, { publicUrl: foreignUrl, clientDist: null, isReady: () => true });
  careless = createServer((request, response) => {
    // as if the browser did not say where requests come from
    delete request.headers['sec-fetch-site'];
    http(request, response);
  });
  const target = await listen(careless);
  const page = await openAs(browser, service, pilot);
  await attack(page, target);
  expect(await isSignedIn()).toBe(false);
});
