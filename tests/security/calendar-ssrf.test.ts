/**
 * Busy calendars as a way into the server's own network (SSRF): every pilot can enter an address. Private addresses in names,
 * names that resolve differently the second time (DNS rebinding), and redirects, each of which is judged like the first address.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fetchCalendar } from '#server/availability/busy/fetch-calendar.ts';
import type { Resolve } from '#server/platform/checked-hosts.ts';
import { calendarOf } from '#tests/harness/calendar-server.ts';

const answers = (...addresses: string[]) =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const CALENDAR = calendarOf([]);
const REFUSED = { is: 'failed', problem: 'address' };

/** Two servers that differ in their address only; the first redirects where it is told. */
const servers: Server[] = [];
let port = 0;
let got: string[] = [];
let location: string | null = null;
beforeAll(async () => {
  for (const host of ['127.0.0.1', '127.0.0.2']) {
    const server = createServer((request, response) => {
      got.push(`${host} ${request.headers.host}`);
      if (location === null) response.end(CALENDAR);
      else response.writeHead(302, { location }).end();
    });
    server.listen(port, host);
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    servers.push(server);
  }
});
afterEach(() => {
  got = [];
  location = null;
});
afterAll(() => servers.forEach((server) => server.close()));

test.each([
  ['a private address', answers('10.0.0.7')],
  ['a public and a private address', answers('1.1.1.1', '127.0.0.1')],
  ['a mapped address', answers('::ffff:127.0.0.1')],
  ['the metadata service of a cloud', answers('169.254.169.254')],
  ['no address', []],
])('a name with %s is not called', async (_what, found) => {
  const options = { allowPrivate: false, resolve: () => Promise.resolve(found) };
  expect(await fetchCalendar(`https://calendar.example.org:${port}/a.ics`, null, options)).toEqual(REFUSED);
  expect(got).toEqual([]);
});

describe('DNS rebinding', () => {
  const rebind = (...addresses: string[]) => {
    let asked = 0;
    const resolve: Resolve = () => {
      const address = addresses[Math.min(asked, addresses.length - 1)] ?? '';
      asked += 1;
      return Promise.resolve(answers(address));
    };
    return { resolve, asked: () => asked };
  };

  test('changes nothing: the name is resolved once, and the connection goes to the checked address', async () => {
    const { resolve, asked } = rebind('127.0.0.1', '127.0.0.2');
    const url = `http://rebind.localhost:${port}/a.ics`;
    expect(await fetchCalendar(url, null, { allowPrivate: true, resolve })).toMatchObject({ is: 'read' });
    expect(got).toEqual([`127.0.0.1 rebind.localhost:${port}`]);
    expect(asked()).toBe(1);
  });

  test('between an address and its redirect is judged again', async () => {
    const { resolve } = rebind('127.0.0.1', '127.0.0.2');
    location = '/b.ics';
    await fetchCalendar(`http://rebind.localhost:${port}/a.ics`, null, { allowPrivate: true, resolve });
    // four requests: the address and three redirects, each to what was resolved and checked for it
    expect(got.map((one) => one.split(' ')[0])).toEqual(['127.0.0.1', '127.0.0.2', '127.0.0.2', '127.0.0.2']);
  });
});

describe('a redirect', () => {
  test.each([
    'http://calendar.example.org/a.ics',
    'file:///etc/passwd',
    'ftp://calendar.example.org/',
    'https://a:b@calendar.example.org/',
  ])('to %s is not followed', async (to) => {
    location = to;
    const options = { allowPrivate: true, resolve: () => Promise.resolve(answers('127.0.0.1')) };
    expect(await fetchCalendar(`http://first.localhost:${port}/a.ics`, null, options)).toEqual(REFUSED);
    expect(got).toHaveLength(1);
  });
});

test('the certificate is asked for by name, and one that is not trusted gives no calendar', async () => {
  let asked = '';
  const server = createTls({
    SNICallback: (name, callback) => {
      asked = name;
      callback(new Error('no certificate'));
    },
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://named.example.org:${(server.address() as AddressInfo).port}/a.ics`;
  const options = { allowPrivate: true, resolve: () => Promise.resolve(answers('127.0.0.1')) };
  expect(await fetchCalendar(url, null, options)).toEqual({ is: 'failed', problem: 'unreachable' });
  expect(asked).toBe('named.example.org');
  server.close();
});
