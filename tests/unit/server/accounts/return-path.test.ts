import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { knownReturnPath, SIGNED_IN_PAGES } from '#server/accounts/rules/return-path.ts';

const ROUTES = fileURLToPath(new URL('../../../../client/src/routes/_signed-in', import.meta.url));

test('a sign-in leads only to pages for signed-in users', () => {
  const pages = readdirSync(ROUTES).map((name) => name.replace(/\.tsx$/, ''));
  expect([...SIGNED_IN_PAGES]).toEqual([...new Set(pages)].toSorted());
});

test.each([
  '/home',
  '/profile/me?discord=linked#discord',
  '/admin/missions?start=2026-11-20T19:00#form',
  '/orders/0192c0de-0000-7000-8000-000000000000',
])('%s is one of our pages', (path) => expect(knownReturnPath(path)).toBe(path));

test.each([
  [null],
  [''],
  ['home'],
  ['/'],
  ['/login'],
  ['/homes'],
  ['/api/v1/auth/discord?purpose=sign-in'],
  ['//evil.example/home'],
  ['/\\evil.example/home'],
  ['/\t/evil.example/home'],
  ['https://evil.example/home'],
  ['https:/home'],
  ['javascript:alert(1)'],
  ['/home/..//evil.example'],
  [`/home?query=${'é'.repeat(500)}`],
  ['//user:pass@site.invalid.evil.example/home'],
])('%j leads home', (path) => expect(knownReturnPath(path)).toBe('/home'));

test('paths that browsers would normalise are normalised', () => {
  expect(knownReturnPath('/admin/../home/./x y')).toBe('/home/x%20y');
  // a line break cannot end a header
  expect(knownReturnPath('/home/\r\nSet-Cookie: a=b')).toBe('/home/Set-Cookie:%20a=b');
});
