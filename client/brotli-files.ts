/** Vite plugin that writes each script, style sheet and text file of the build a second time, as Brotli. */
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

/** Not pages, because each answer has a nonce of its own, nor pictures and fonts, which are compressed already. */
const TEXTS = '**/*.{js,css,svg,txt,webmanifest}';

const compress = promisify(brotliCompress);

/** @returns the text in the format and quality of the files that the build writes */
export async function toBrotli(text: Uint8Array): Promise<Buffer> {
  // The best quality is far too slow for an answer, and makes scripts a seventh smaller than the server's own.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  return compress(text, { params });
}

/** Writes `name.br` beside `name`; the server sends it to browsers that accept Brotli (server/http/static.ts). */
export function brotliFiles(): Plugin {
  return {
    name: 'marshal:brotli-files',
    apply: 'build',
    writeBundle: {
      sequential: true,
      async handler({ dir = '' }) {
        const write = async (name: string): Promise<void> => {
          const path = join(dir, name);
          await writeFile(`${path}.br`, await toBrotli(await readFile(path)));
        };
        await Promise.all(globSync(TEXTS, { cwd: dir }).map(write));
      },
    },
  };
}
