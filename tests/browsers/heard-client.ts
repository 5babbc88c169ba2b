/** The built client with an error listener: each page runs listener.js before its own scripts. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT_DIST } from '#tests/harness/service.ts';

const FIRST_SCRIPT = '<script src="/boot.js"';

export interface HeardClient {
  folder: string;
  remove: () => void;
}

export function givenHeardClient(): HeardClient {
  const folder = mkdtempSync(join(tmpdir(), 'marshal-client-'));
  cpSync(CLIENT_DIST, folder, { recursive: true });
  cpSync(join(import.meta.dirname, 'listener.js'), join(folder, 'listener.js'));
  for (const name of ['index.html', 'landing.html']) {
    const page = readFileSync(join(folder, name), 'utf8');
    if (!page.includes(FIRST_SCRIPT)) throw new Error(`${name} does not begin with boot.js.`);
    writeFileSync(
      join(folder, name),
      page.replace(FIRST_SCRIPT, `<script src="/listener.js"></script>${FIRST_SCRIPT}`),
    );
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
