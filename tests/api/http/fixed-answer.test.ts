/** The OpenAPI document: compressed for those who ask, revalidated, and the same for everybody. */
import { gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** As a plain client: fetch would unpack the answer. */
function get(headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = request(`${service.url}/api/v1/openapi.json`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject).end();
  });
}

test('is a tenth of its size for those who take gzip', async () => {
  const plain = await get({});
  const zipped = await get({ 'accept-encoding': 'gzip, br' });
  expect([plain.headers['content-encoding'], zipped.headers['content-encoding']]).toEqual([undefined, 'gzip']);
  expect(gunzipSync(zipped.body)).toEqual(plain.body);
  expect(JSON.parse(plain.body.toString())).toMatchObject({ openapi: '3.1.0' });
  expect(zipped.body.length).toBeLessThan(plain.body.length / 8);
  for (const { headers } of [plain, zipped]) {
    expect(headers).toMatchObject({
      'cache-control': 'public, no-cache',
      vary: expect.stringContaining('Accept-Encoding'),
      'content-type': 'application/json; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  }
});

test('is not sent again to those who have it', async () => {
  const { headers } = await get({});
  const etag = String(headers.etag);
  expect(etag).toMatch(/^W\/"[\w-]+"$/);
  const again = await get({ 'if-none-match': etag, 'accept-encoding': 'gzip' });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  expect((await get({ 'if-none-match': 'W/"another"' })).status).toBe(200);
});
