/** An operator's evening with an installation: its admin, its pages over https, and a release without its newest migration. */
import { readdirSync, renameSync } from 'node:fs';
import { join, parse } from 'node:path';
import { expect } from 'vitest';
import type { TlsProxy } from './tls-proxy.ts';

export const ADMIN = { email: 'ops@example.org', password: 'a long password for the evening' };

/** A page of the client and a sign-in, from outside over https. */
export async function usePages({ url, ask }: TlsProxy): Promise<void> {
  const page = await ask('/');
  expect(page.headers['strict-transport-security']).toBeDefined();
  const script = /<script[^>]+src="([^"]+)"/.exec(page.text)?.[1] ?? '';
  expect((await ask(script)).headers['content-type']).toContain('javascript');
  const headers = { origin: url, 'content-type': 'application/json' };
  const signedIn = await ask('/api/v1/auth/login', { method: 'POST', headers }, ADMIN);
  expect(signedIn.status, signedIn.text).toBe(200);
  const [cookie = ''] = signedIn.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/; Secure(?:;|$)/);
  const viewer = await ask('/api/v1/auth/me', { headers: { cookie: cookie.split(';')[0] ?? '' } });
  expect(viewer.text).toContain(ADMIN.email);
  // another site may not write
  const foreign = { ...headers, origin: 'https://elsewhere.example' };
  expect((await ask('/api/v1/auth/login', { method: 'POST', headers: foreign }, ADMIN)).status).toBe(403);
}

/** The last line of an older release's start. */
export const REFUSED_BY_OLDER = /^This database belongs to a newer release of Marshal .* restore a backup/;

/**
 * The newest migration of an installation. Without it, the installation is the release before.
 * @param aside a folder on the same disk that keeps it meanwhile
 */
export function newestMigration(installed: string, aside: string) {
  const file = readdirSync(join(installed, 'migrations')).toSorted().at(-1) ?? '';
  const [inside, outside] = [join(installed, 'migrations', file), join(aside, file)];
  return {
    name: parse(file).name,
    remove: () => renameSync(inside, outside),
    add: () => renameSync(outside, inside),
  };
}
