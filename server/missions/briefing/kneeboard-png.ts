/**
 * PNG encoder with a palette of 256 colours. The rasterizer's own full-colour PNG is 2.7 times as large: a card with long
 * notes takes 154 to 175 KB there and 54 to 68 KB here, and the limit is 150 KB.
 */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PALETTE_MAX = 256;
const COMPRESSION = 9;

type Rgb = readonly [red: number, green: number, blue: number];

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

const rgbOf = (colour: number): Rgb => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

function distance([r, g, b]: Rgb, [red, green, blue]: Rgb): number {
  return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
}

/** The place of each colour in a palette of the most frequent ones; the rest stand at the nearest of those. */
function choosePalette(counts: ReadonlyMap<number, number>): { palette: Rgb[]; indexOf: Map<number, number> } {
  const byFrequency = [...counts].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour);
  const palette = byFrequency.slice(0, PALETTE_MAX).map(rgbOf);
  const indexOf = new Map(
    byFrequency.map((colour, place): [number, number] => {
      if (place < PALETTE_MAX) return [colour, place];
      const distances = palette.map((known) => distance(known, rgbOf(colour)));
      return [colour, distances.indexOf(Math.min(...distances))];
    }),
  );
  return { palette, indexOf };
}

/**
 * @param pixels RGBA, 8 bits each, opaque, row by row
 * @returns a PNG file of 8-bit palette indices
 */
export function encodePng(pixels: Uint8Array, width: number, height: number): Buffer {
  const colours = new Uint32Array(width * height);
  const counts = new Map<number, number>();
  for (let at = 0; at < colours.length; at += 1) {
    const colour = ((pixels[4 * at] ?? 0) << 16) | ((pixels[4 * at + 1] ?? 0) << 8) | (pixels[4 * at + 2] ?? 0);
    colours[at] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const { palette, indexOf } = choosePalette(counts);
  // Each row begins with its filter; for indices, none packs best.
  const rows = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + x + 1] = indexOf.get(colours[y * width + x] ?? 0) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits, palette, deflate, filters by row, not interlaced
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: COMPRESSION })),
    chunk('IEND', new Uint8Array()),
  ]);
}
