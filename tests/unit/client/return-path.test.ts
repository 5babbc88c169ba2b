import { expect, test } from 'vitest';
import { safeReturnPath } from '#client/lib/return-path.ts';

test.each([
  ['/admin/users?page=2#top', '/admin/users?page=2#top'],
  ['/', '/'],
  ['/loginess', '/loginess'],
])('%s is a page of this site and is returned to', (from, path) => {
  expect(safeReturnPath(from)).toBe(path);
});

test.each([
  undefined,
  '',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  '/login',
  '/login?a=1',
])('%s is not returned to', (from) => {
  expect(safeReturnPath(from)).toBe('/home');
});
