/** Worker thread that draws kneeboard cards: layout and rasterizing take a tenth of a second of CPU time. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import satori, { type Font } from 'satori';
import { yieldThread } from '#server/platform/thread-priority.ts';
import type { KneeboardScheme } from '#shared/vocabulary.ts';
import { layOutCard } from './kneeboard-layout.ts';
import type { KneeboardCard } from '#shared/kneeboard-content.ts';
import { CARD_SIZE } from './kneeboard-elements.ts';
import { encodePng } from './kneeboard-png.ts';
import { findScriptFonts, readFonts } from './script-fonts.ts';

yieldThread();

export interface DrawRequest {
  card: KneeboardCard;
  scheme: KneeboardScheme;
}

const read = (url: string) => readFile(fileURLToPath(url));

/** WOFF, since the layout reads no WOFF2. `Ext` adds the Latin letters beyond Western Europe's. */
const FONTS: readonly [name: string, weight: 400 | 600 | 700, url: string][] = [
  [
    'Plate',
    600,
    import.meta.resolve('@fontsource/saira-semi-condensed/files/saira-semi-condensed-latin-600-normal.woff'),
  ],
  [
    'Plate Ext',
    600,
    import.meta.resolve('@fontsource/saira-semi-condensed/files/saira-semi-condensed-latin-ext-600-normal.woff'),
  ],
  [
    'Body',
    400,
    import.meta
      .resolve('@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-400-normal.woff'),
  ],
  [
    'Body',
    700,
    import.meta
      .resolve('@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-700-normal.woff'),
  ],
  [
    'Body Ext',
    400,
    import.meta
      .resolve('@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-400-normal.woff'),
  ],
  [
    'Body Ext',
    700,
    import.meta
      .resolve('@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-700-normal.woff'),
  ],
  ['Data', 400, import.meta.resolve('@fontsource/b612-mono/files/b612-mono-latin-400-normal.woff')],
  ['Data', 700, import.meta.resolve('@fontsource/b612-mono/files/b612-mono-latin-700-normal.woff')],
];

async function prepare(): Promise<Font[]> {
  await initWasm(await read(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm')));
  return Promise.all(FONTS.map(async ([name, weight, url]) => ({ name, weight, data: await read(url) })));
}

const ready = prepare();

/** Lists of fonts by their names: satori keeps the parsed fonts of a list as long as it is the same list. */
const lists = new Map<string, Promise<Font[]>>();
const LISTS_MAX = 8;

async function fontsFor(card: KneeboardCard): Promise<Font[]> {
  const files = await findScriptFonts(JSON.stringify(card));
  const key = files.map(({ url }) => url).join(' ');
  const list = lists.get(key) ?? Promise.all([ready, readFonts(files)]).then((fonts) => fonts.flat());
  lists.set(key, list);
  const [oldest] = lists.keys();
  if (lists.size > LISTS_MAX && oldest !== undefined) lists.delete(oldest);
  return list;
}

async function draw({ card, scheme }: DrawRequest): Promise<Uint8Array> {
  const fonts = await fontsFor(card);
  const svg = await satori(layOutCard(card, scheme), { ...CARD_SIZE, fonts });
  const picture = new Resvg(svg, { font: { loadSystemFonts: false } });
  try {
    const image = picture.render();
    try {
      return encodePng(image.pixels, image.width, image.height);
    } finally {
      image.free();
    }
  } finally {
    picture.free();
  }
}

/**
 * After an error the rasterizer may be in any state, so the thread ends and the next card gets a new one.
 * @returns a PNG of 768 x 1024 px
 */
export function run(request: DrawRequest): Promise<Uint8Array> {
  return draw(request).catch(
    (error: unknown) =>
      new Promise<never>(() => {
        setImmediate(() => {
          throw error;
        });
      }),
  );
}
