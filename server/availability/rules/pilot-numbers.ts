/**
 * Numbers of the pilots in a roster. Their ids are kept as 16 bytes each, because the ids of 100,000 pilots take 7 MB more as
 * texts in a Map.
 */

/** 32-bit words of an id. */
const WORDS = 4;
const ID_BYTES = WORDS * Uint32Array.BYTES_PER_ELEMENT;
/** The table of places has room for so many times as many pilots, so that searches are short. */
const ROOM = 1.25;

const ID_LENGTH = 36;
/** Bytes of an id before which its text has a dash. */
const DASHED = new Set([4, 6, 8, 10]);
const HEX_DIGITS = Buffer.from('0123456789abcdef');

export interface PilotNumbers {
  /** @returns the pilot's number, or a new one: the lowest that was never given, or that of a dropped pilot */
  add: (id: string) => number;
  /** @returns the number that the pilot had */
  drop: (id: string) => number | undefined;
  find: (id: string) => number | undefined;
  /** @param number of a pilot who has not been dropped */
  idOf: (number: number) => string;
  size: () => number;
  /** The numbers of all pilots, in the order of their ids. */
  byId: () => Uint32Array;
  /** All numbers are below this. */
  bound: () => number;
}

function wordsOf(id: string): Uint32Array {
  return new Uint32Array(Uint8Array.fromHex(id.replaceAll('-', '')).buffer);
}

/** All bits of the id count: some begin with the time, and others differ at their end only. */
function hash(words: Uint32Array): number {
  let mixed = 0;
  for (const word of words) {
    mixed = Math.imul(mixed ^ word, 0x9e_37_79_b1);
    mixed ^= mixed >>> 15;
  }
  return mixed >>> 0;
}

/** Open addressing with linear probing: a place holds the number of a pilot and one more, and an empty one 0. */
export function createPilotNumbers(): PilotNumbers {
  const unused: number[] = [];
  let ids = new Uint32Array(WORDS * 64);
  let bytes = new Uint8Array(ids.buffer);
  // some calls ask for all ids, and putting each together from pieces would leave three times as much garbage
  const characters = Buffer.alloc(ID_LENGTH, '-');
  let places = new Uint32Array(128);
  /** kept until a pilot comes or goes, because sorting thousands takes longer than what is asked about them */
  let order: Uint32Array | null = null;
  let bound = 0;

  const wordsAt = (number: number): Uint32Array => ids.subarray(number * WORDS, (number + 1) * WORDS);
  const next = (place: number): number => (place + 1) % places.length;
  const first = (words: Uint32Array): number => hash(words) % places.length;
  const size = (): number => bound - unused.length;

  function isAt(number: number, words: Uint32Array): boolean {
    const at = number * WORDS;
    return ids[at + 3] === words[3] && ids[at + 2] === words[2] && ids[at + 1] === words[1] && ids[at] === words[0];
  }

  /** Where the id is, or the empty place where it would be. */
  function placeOf(words: Uint32Array): number {
    let place = first(words);
    for (let held = places[place]; held !== 0 && !isAt((held ?? 0) - 1, words); held = places[place])
      place = next(place);
    return place;
  }

  function listById(): Uint32Array {
    const view = new DataView(ids.buffer);
    const compare = (a: number, b: number): number => {
      for (let at = 0; at < ID_BYTES; at += Uint32Array.BYTES_PER_ELEMENT) {
        const difference = view.getUint32(a * ID_BYTES + at) - view.getUint32(b * ID_BYTES + at);
        if (difference !== 0) return difference;
      }
      return 0;
    };
    return places
      .filter((held) => held !== 0)
      .map((held) => held - 1)
      .sort(compare);
  }

  function makeRoom(): void {
    if (bound * WORDS === ids.length) {
      const wider = new Uint32Array(Math.ceil(bound * ROOM) * WORDS);
      wider.set(ids);
      ids = wider;
      bytes = new Uint8Array(ids.buffer);
    }
    if (size() * ROOM < places.length) return;
    const numbers = places.filter((held) => held !== 0);
    places = new Uint32Array(Math.ceil(size() * ROOM * ROOM));
    for (const held of numbers) places[placeOf(wordsAt(held - 1))] = held;
  }

  return {
    add(id) {
      const words = wordsOf(id);
      const known = places[placeOf(words)] ?? 0;
      if (known !== 0) return known - 1;
      makeRoom();
      order = null;
      const number = unused.pop() ?? bound;
      bound = Math.max(bound, number + 1);
      ids.set(words, number * WORDS);
      places[placeOf(words)] = number + 1;
      return number;
    },
    drop(id) {
      let empty = placeOf(wordsOf(id));
      const held = places[empty] ?? 0;
      if (held === 0) return undefined;
      unused.push(held - 1);
      order = null;
      places[empty] = 0;
      // those behind it, up to the next empty place, were put there because it was taken
      for (let place = next(empty); places[place] !== 0; place = next(place)) {
        const moved = places[place] ?? 0;
        places[place] = 0;
        empty = placeOf(wordsAt(moved - 1));
        places[empty] = moved;
      }
      return held - 1;
    },
    find(id) {
      const held = places[placeOf(wordsOf(id))] ?? 0;
      return held === 0 ? undefined : held - 1;
    },
    idOf(number) {
      let at = number * ID_BYTES;
      let place = 0;
      for (let byte = 0; byte < ID_BYTES; byte += 1, at += 1) {
        if (DASHED.has(byte)) place += 1;
        const value = bytes[at] ?? 0;
        characters[place] = HEX_DIGITS[value >> 4] ?? 0;
        characters[place + 1] = HEX_DIGITS[value & 0xf] ?? 0;
        place += 2;
      }
      return characters.toString('latin1');
    },
    size,
    byId: () => (order ??= listById()),
    bound: () => bound,
  };
}
