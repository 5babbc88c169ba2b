/** `marshal export`: everything of the community as JSON, in a file or on the output. */
import { createWriteStream, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { readEnv } from '#server/platform/env.ts';
import { DAY_MS } from '#server/time/time.ts';
import { dateInput } from '#shared/schemas/common.ts';
import { readOptions, UsageError, type Command } from '#server/cli/command.ts';
import { ROOT } from '#server/cli/programs.js';

const options = z.object({ output: z.string().optional(), from: z.string().optional(), to: z.string().optional() });

/** Midnight at the start of a day, in UTC. */
function dayOf(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  if (!dateInput.safeParse(text).success) throw new UsageError(`${name} must be a date such as 2026-11-21.`);
  return new Date(`${text}T00:00:00Z`);
}

/** The end of the reader, as of `export | head`, is no error. */
async function writeOut(rows: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(rows), process.stdout, { end: false }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  });
}

/** The file appears when it is complete. Only its owner can read it, because it has addresses of people. */
async function writeFile(path: string, rows: AsyncIterable<string>): Promise<number> {
  const draft = `${path}.${process.pid}.part`;
  try {
    const file = createWriteStream(draft, { mode: 0o600 });
    await pipeline(Readable.from(rows), file);
    renameSync(draft, path);
    return file.bytesWritten;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

export const exportCommunity: Command = {
  name: 'export',
  description:
    'Write people with their times, missions, orders with attendance, and aircraft as JSON, without passwords and keys.',
  options: [
    ['--output <file>', 'write to this file instead of the output'],
    ['--from <date>', 'only missions that start on this day (UTC) or later'],
    ['--to <date>', 'only missions that start on this day (UTC) or earlier'],
  ],
  examples: ['export --output community.json', 'export --from 2026-11-01 --to 2026-11-30 --output november.json'],
  async run({ options: given }) {
    const { output, from, to } = readOptions(options, given);
    const [first, last] = [dayOf('--from', from), dayOf('--to', to)];
    if (first && last && first > last) throw new UsageError(`--from ${from} is after --to ${to}.`);
    const span = { from: first, until: last && new Date(last.getTime() + DAY_MS) };
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const about = { version, exportedAt: new Date(), from: from ?? null, to: to ?? null };
    const { withDatabase } = await import('#server/cli/with-database.ts');
    const { exportCommunity: readCommunity, inSnapshot } = await import('#server/cli/community-export.ts');
    return withDatabase(readEnv(), { isLong: true }, (orm) =>
      inSnapshot(orm, async (tx) => {
        const rows = readCommunity(tx, span, about);
        if (output === undefined) {
          await writeOut(rows);
          return null;
        }
        const bytes = await writeFile(output, rows);
        return { text: `Wrote ${output} (${bytes} bytes).`, data: { file: output, bytes } };
      }),
    );
  },
};
