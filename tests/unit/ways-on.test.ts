/** The links beside refusals: each leads to a screen, and every refusal of a pilot's calls has one or says it all. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REFUSALS, type RefusalCode } from '#shared/refusals.ts';
import { isProfilePanel } from '#shared/profile-sections.ts';
import { wayOn } from '#shared/ways-on.ts';

const CODES = Object.keys(REFUSALS) as RefusalCode[];
const ROUTES = join(import.meta.dirname, '..', '..', 'client', 'src', 'routes');

/** Addresses of the screens, by the files of the routes. */
const SCREENS = new Set(
  readdirSync(ROUTES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map(
      (file) =>
        `/${file
          .replace(/\.tsx$/, '')
          .replaceAll('\\', '/')
          .replace('_signed-in/', '')}`,
    )
    .map((path) => path.replace(/\/index$/, '')),
);

describe.each(['pilot', 'admin'] as const)('a refusal that a %s meets', (reader) => {
  const links = CODES.flatMap((code) => {
    const way = wayOn(code, reader);
    return way === null ? [] : [[code, way] as const];
  });

  test.each(links)('%s links to a screen', (_code, { label, path }) => {
    const { pathname, hash } = new URL(path, 'https://marshal.example');
    expect(SCREENS).toContain(pathname);
    if (pathname.startsWith('/profile/')) expect(isProfilePanel(hash.slice(1))).toBe(true);
    expect(label).toMatch(/^[A-Z][^.]*$/);
  });
});

test('pilots are not led to pages of admins', () => {
  for (const code of CODES) expect(wayOn(code, 'pilot')?.path ?? '').not.toMatch(/^\/admin/);
});
