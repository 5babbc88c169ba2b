import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { describe, expect, test } from 'vitest';
import { addressBucket } from '#server/platform/attempts.ts';
import { emailKey } from '#server/accounts/email.ts';
import { createPasswordHasher } from '#server/accounts/password-hashing.ts';

test.each([
  ['case does not matter', 'Goose@Example.ORG', 'goose@example.org'],
  ['composed and decomposed letters are one', 'ame\u0301lie@example.org', 'amélie@example.org'],
  ['a domain counts in its ASCII form', 'pilot@bücher.example', 'pilot@xn--bcher-kva.example'],
  ['the dot of a fully qualified domain does not count', 'pilot@example.org。', 'pilot@example.org'],
  [
    'full-width letters and soft hyphens in the domain are plain ones',
    'pilot@ｅｘａｍ\u00adple.org',
    'pilot@example.org',
  ],
  ['what is not a host name stays as it is', 'pilot@a b', 'pilot@a b'],
  ['the local part keeps its dots and tags', 'a.b+c@example.org', 'a.b+c@example.org'],
])('email key: %s', (_rule, email, key) => expect(emailKey(email)).toBe(key));

test.each([
  ['an IPv4 address is its own bucket', '203.0.113.9', 'address:203.0.113.9'],
  ['IPv4 in IPv6 clothes is the same one', '::ffff:203.0.113.9', 'address:203.0.113.9'],
  ['IPv6 counts by /64', '2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2'],
  ['and written short, too', '2001:db8:1:2::6', 'address:2001:db8:1:2'],
  ['even where the zeros stand in front', '::1', 'address:0:0:0:0'],
])('attempt buckets: %s', (_rule, address, bucket) => expect(addressBucket(address)).toBe(bucket));

describe('passwords', () => {
  const hasher = createPasswordHasher();

  test('a hash is argon2id with 19 MiB and two passes, and never the same twice', async () => {
    const [one, two] = [await hasher.hash('correct horse'), await hasher.hash('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(two);
  });

  test('only the exact password matches', async () => {
    const hash = await hasher.hash('Correct horse ');
    await expect(hasher.verify('Correct horse ', hash)).resolves.toBe(true);
    for (const wrong of ['correct horse ', 'Correct horse', '', 'Correct horse  ']) {
      await expect(hasher.verify(wrong, hash)).resolves.toBe(false);
    }
  });

  test.runIf(process.platform === 'linux')('the threads that hash come after the main thread', async () => {
    await hasher.hash('correct horse');
    const threads = readdirSync('/proc/self/task').map((id) => ({
      name: readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim(),
      priority: getPriority(Number(id)),
    }));
    // worker threads of other tests in this process lower their own
    const others = threads.filter(({ name }) => name !== 'WorkerThread');
    const prioritiesOf = (inPool: boolean) =>
      new Set(others.flatMap(({ name, priority }) => ((name === 'libuv-worker') === inPool ? [priority] : [])));
    const main = getPriority(process.pid);
    expect(prioritiesOf(true)).toEqual(new Set([Math.min(main + 10, 19)]));
    expect(prioritiesOf(false)).toEqual(new Set([main]));
  });

  test('a missing account, a missing password and an unreadable hash all fail', async () => {
    await expect(hasher.verify('x', null)).resolves.toBe(false);
    await expect(hasher.verify('x', '$2b$10$somethingelse')).resolves.toBe(false);
  });

  test('two are hashed at a time, 32 wait, and the next is refused with a time to retry', async () => {
    const busy = createPasswordHasher();
    const work = Array.from({ length: 40 }, () => busy.hash('correct horse'));
    const results = await Promise.allSettled(work);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(40 - 2 - 32);
    for (const { reason } of refused) expect(reason).toMatchObject({ status: 429 });
    await expect(busy.hash('correct horse')).resolves.toContain('$argon2id$');
  });
});
