/**
 * Webhooks as a way into the server's own network (SSRF): private addresses in every notation, names that resolve to them,
 * names that resolve differently the second time (DNS rebinding), redirects. Senders without these checks get through.
 */
import { once } from 'node:events';
import { createServer as createHttp, request, type Server } from 'node:http';
import { createServer, type AddressInfo, type LookupFunction } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { postWebhook } from '#server/delivery/webhooks/post-webhook.ts';
import { findUrlProblem, type Resolve } from '#server/platform/checked-hosts.ts';
import { isPublicAddress } from '#server/platform/public-addresses.ts';

const PRIVATE = 'The address must be public: Marshal sends nothing to private, local or reserved networks';
const STRICT = { allowPrivate: false, timeoutMs: 2_000 };
const answers = (...addresses: string[]) =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** A service of the own network: it counts who connects. */
const inner = createServer((socket) => {
  socket.on('error', () => undefined);
  reached += 1;
  socket.destroy();
});
let reached = 0;
let port = 0;
beforeAll(async () => {
  inner.listen(0, '::');
  await once(inner, 'listening');
  ({ port } = inner.address() as AddressInfo);
});
afterEach(() => {
  reached = 0;
});
afterAll(() => {
  inner.close();
});

/** A sender without any check. */
const postNaively = (url: string, lookup?: LookupFunction): Promise<void> =>
  new Promise((resolve) => {
    const sent = request(url.replace('https:', 'http:'), { method: 'POST', agent: false, ...(lookup && { lookup }) });
    sent.on('error', () => resolve()).on('response', (response) => response.resume().on('end', () => resolve()));
    sent.end('{}');
  });

const HERE = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '[::1]', '[::ffff:127.0.0.1]'];

describe.each([...HERE, 'localhost'])('this machine as %s', (host) => {
  const url = () => `https://${host}:${port}/hook`;

  test('is refused when it is entered and when it is sent', async () => {
    expect(await findUrlProblem(url(), STRICT)).toBe(PRIVATE);
    expect(await postWebhook(url(), {}, '{}', STRICT)).toEqual({ status: null, error: `${PRIVATE}.` });
    expect(reached).toBe(0);
  });

  test('is reached by a sender without checks', async () => {
    await postNaively(url());
    expect(reached).toBe(1);
  });
});

describe('a public name', () => {
  test.each([
    ['a private address', answers('10.0.0.7')],
    ['a public and a private address', answers('1.1.1.1', '127.0.0.1')],
    ['a mapped address', answers('::ffff:127.0.0.1')],
    ['a translated address', answers('64:ff9b::7f00:1')],
    ['the metadata service of a cloud', answers('169.254.169.254')],
  ])('with %s is refused when it is entered and when it is sent', async (_what, found) => {
    const options = { ...STRICT, resolve: () => Promise.resolve(found) };
    expect(await findUrlProblem('https://hooks.example.org/', options)).toBe(PRIVATE);
    const result = await postWebhook(`https://hooks.example.org:${port}/`, {}, '{}', options);
    expect(result).toEqual({ status: null, error: `${PRIVATE}.` });
    expect(reached).toBe(0);
  });

  test('that cannot be resolved may be saved, and fails when it is sent', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('planted'), { code: 'ENOTFOUND' }));
    expect(await findUrlProblem('https://hooks.example.org/', { ...STRICT, resolve })).toBeNull();
    const result = await postWebhook('https://hooks.example.org/', {}, '{}', { ...STRICT, resolve });
    expect(result).toEqual({ status: null, error: 'The host could not be found.' });
  });

  test('whose resolver does not answer takes no longer than a request may', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const result = await postWebhook('https://hooks.example.org/', {}, '{}', { ...STRICT, timeoutMs: 100, resolve });
    expect(result.error).toBe('No answer within 0.1 seconds.');
  });
});

describe('DNS rebinding', () => {
  /** Answers with another address each time. */
  const rebind = (...addresses: string[]) => {
    let asked = 0;
    const resolve: Resolve = () => {
      const address = addresses[Math.min(asked, addresses.length - 1)] ?? '';
      asked += 1;
      return Promise.resolve(answers(address));
    };
    return { resolve, asked: () => asked };
  };
  /** Two receivers that differ in their address only. */
  const receivers: Server[] = [];
  let got: string[] = [];
  let shared = 0;
  beforeAll(async () => {
    for (const host of ['127.0.0.1', '127.0.0.2']) {
      const server = createHttp((asked, response) => {
        got.push(`${host} ${asked.headers.host}`);
        response.writeHead(204).end();
      });
      server.listen(shared, host);
      await once(server, 'listening');
      ({ port: shared } = server.address() as AddressInfo);
      receivers.push(server);
    }
  });
  afterEach(() => {
    got = [];
  });
  afterAll(() => receivers.forEach((server) => server.close()));

  test('changes nothing: the name is resolved once, and the connection goes to the checked address', async () => {
    const { resolve, asked } = rebind('127.0.0.1', '127.0.0.2');
    const url = `http://rebind.localhost:${shared}/hook`;
    const result = await postWebhook(url, {}, '{}', { allowPrivate: true, resolve });
    expect(result).toEqual({ status: 204, error: null });
    expect(got).toEqual([`127.0.0.1 rebind.localhost:${shared}`]);
    expect(asked()).toBe(1);
  });

  test('gets through a sender that checks first and resolves again when it connects', async () => {
    const { resolve } = rebind('1.1.1.1', '127.0.0.2');
    const [checked] = await resolve('rebind.localhost');
    expect(isPublicAddress(checked?.address ?? '')).toBe(true);
    const [again] = await resolve('rebind.localhost');
    await postNaively(`http://rebind.localhost:${shared}/hook`, (_host, _options, callback) =>
      callback(null, again ? [again] : []),
    );
    expect(got).toEqual([`127.0.0.2 rebind.localhost:${shared}`]);
  });

  test('is refused when the first address is the private one', async () => {
    const { resolve } = rebind('127.0.0.1', '1.1.1.1');
    const result = await postWebhook(`https://rebind.example.org:${port}/`, {}, '{}', { ...STRICT, resolve });
    expect(result.error).toBe(`${PRIVATE}.`);
    expect(reached).toBe(0);
  });
});

test('the certificate is asked for by name, although the connection goes to an address', async () => {
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
  const url = `https://named.example.org:${(server.address() as AddressInfo).port}/`;
  const resolve = () => Promise.resolve(answers('127.0.0.1'));
  const result = await postWebhook(url, {}, '{}', { allowPrivate: true, resolve });
  expect([asked, result.status]).toEqual(['named.example.org', null]);
  server.close();
});
