/** Initials and colour of a generated avatar, from the call sign alone: the same on every page and device. */

/** Hues in degrees of OKLCH, apart from each other and from magenta, which is the next step and nothing else. */
export const AVATAR_HUES = [20, 48, 76, 104, 132, 160, 188, 216, 244, 272] as const;

export interface AvatarLook {
  /** one or two characters */
  initials: string;
  /** one of `AVATAR_HUES` */
  hue: number;
}

/** @param callSign as people write it; capitals do not change the colour */
export function avatarLook(callSign: string): AvatarLook {
  const name = callSign.normalize('NFC');
  return { initials: initialsOf(name) || '?', hue: AVATAR_HUES[hash(name.toLowerCase()) % AVATAR_HUES.length] ?? 0 };
}

/** The first letters of the first two words, or the first two letters of one word; without punctuation. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu) ?? [];
  const [first = '', second] = words;
  const letters = second === undefined ? [...first] : [...first].slice(0, 1).concat([...second].slice(0, 1));
  return letters
    .slice(0, 2)
    .map((letter) => [...letter.toUpperCase()][0])
    .join('');
}

/** FNV-1a of the UTF-16 units, 32 bits. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01_00_01_93) >>> 0;
  }
  return value;
}
