/**
 * Fonts of scripts other than Latin: Cyrillic, Greek, Chinese, Japanese, Korean and emoji. A card reads only the files
 * that have its characters, since all of them together would take seconds to parse.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Font } from 'satori';

interface Family {
  /** the characters to look for in this family */
  characters: RegExp;
  /** the package's folder of files */
  files: string;
  name: string;
  weights: readonly (400 | 700)[];
  /** the part that has all characters, where one may need several: an emoji with a skin tone is drawn by one file */
  whole?: string;
}

/** The folder of a file that the package has. */
const folderOf = (url: string) => new URL('.', url).href;

const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff65]/u;

/** Where two families have a character, the first is drawn. Only the European scripts are also bold. */
const FAMILIES: readonly Family[] = [
  {
    characters: /[\p{Script=Cyrillic}\p{Script=Greek}]/u,
    files: folderOf(import.meta.resolve('@fontsource/noto-sans/files/noto-sans-greek-400-normal.woff')),
    name: 'noto-sans',
    weights: [400, 700],
  },
  {
    characters: HAN,
    files: folderOf(
      import.meta.resolve('@fontsource/chocolate-classical-sans/files/chocolate-classical-sans-latin-400-normal.woff'),
    ),
    name: 'chocolate-classical-sans',
    weights: [400],
  },
  // kanji that the family before lacks
  {
    characters: HAN,
    files: folderOf(import.meta.resolve('@fontsource/kosugi/files/kosugi-latin-400-normal.woff')),
    name: 'kosugi',
    weights: [400],
  },
  {
    characters: /\p{Script=Hangul}/u,
    files: folderOf(import.meta.resolve('@fontsource/gowun-dodum/files/gowun-dodum-latin-400-normal.woff')),
    name: 'gowun-dodum',
    weights: [400],
  },
  {
    characters: /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]/u,
    files: folderOf(import.meta.resolve('@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff')),
    name: 'noto-emoji',
    weights: [400],
    whole: 'emoji',
  },
];

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const isJapanese = ({ name }: Family) => Number(name === 'kosugi');

/** A file's part of its family: `cyrillic`, or a number, and the code points that it may have. */
interface Part {
  name: string;
  ranges: (readonly [from: number, to: number])[];
}

const EVERY: Part['ranges'] = [[0, 0x10ffff]];

const partsOf = new Map<string, Promise<Part[]>>();

/** The parts of a family, as its package lists them: `"[12]": "U+4e00-4e10,U+4e14"`. */
function loadParts({ files }: Family): Promise<Part[]> {
  const known = partsOf.get(files) ?? readParts(new URL('../unicode.json', files));
  partsOf.set(files, known);
  return known;
}

async function readParts(url: URL): Promise<Part[]> {
  const listed = Object.entries<string>(JSON.parse(await readFile(fileURLToPath(url), 'utf8')));
  return listed.map(([name, ranges]) => ({
    name: name.replaceAll(/[[\]]/g, ''),
    ranges: ranges.split(',').map((range) => {
      const [from = '', to = from] = range.trim().slice('U+'.length).split('-');
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
    }),
  }));
}

const readOnce = new Map<string, Promise<Buffer>>();

function read(url: string): Promise<Buffer> {
  const known = readOnce.get(url) ?? readFile(fileURLToPath(url));
  readOnce.set(url, known);
  return known;
}

/** A font file. Its name is unique: two fonts with the same name and weight would replace each other. */
export type FontFile = Pick<Font, 'name' | 'weight'> & { url: string };

/** The files for a text's characters beyond Latin, in the order in which they are to be asked. */
export async function findScriptFonts(text: string): Promise<FontFile[]> {
  const characters = [...new Set(text)];
  // the same kanji look different in Chinese and in Japanese
  const families = KANA.test(text) ? FAMILIES.toSorted((a, b) => isJapanese(b) - isJapanese(a)) : FAMILIES;
  const found = await Promise.all(
    families.map(async (family) => {
      const points = characters.filter((one) => family.characters.test(one)).map((one) => one.codePointAt(0) ?? 0);
      if (points.length === 0) return [];
      const parts = family.whole === undefined ? await loadParts(family) : [{ name: family.whole, ranges: EVERY }];
      const needed = parts.filter(({ ranges }) =>
        points.some((point) => ranges.some(([from, to]) => point >= from && point <= to)),
      );
      return needed.flatMap(({ name }) =>
        family.weights.map((weight) => ({
          name: `${family.name} ${name}`,
          weight,
          url: `${family.files}${family.name}-${name}-${weight}-normal.woff`,
        })),
      );
    }),
  );
  return found.flat();
}

export function readFonts(files: readonly FontFile[]): Promise<Font[]> {
  return Promise.all(files.map(async ({ url, ...font }) => ({ ...font, data: await read(url) })));
}
