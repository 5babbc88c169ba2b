/** A small hash for choices that look random but are always the same. Not for secrets. */

const FNV_START = 0x811c9dc5;

/** 32-bit FNV-1a over UTF-16 units, then mixed so that similar texts get unrelated values. */
export function hashText(text: string): number {
  return mixHash(addText(FNV_START, text));
}

/** `hashText` for many texts with the same beginning, which is hashed once. */
export function hashAfter(beginning: string): (rest: string) => number {
  const start = addText(FNV_START, beginning);
  return (rest) => mixHash(addText(start, rest));
}

function addText(start: number, text: string): number {
  let hash = start;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** murmur3's finalizer: every input bit affects every output bit. @returns an unsigned 32-bit integer */
export function mixHash(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
