/**
 * Look-alike detection for call signs, modelled on the confusable skeletons of Unicode TR 39. The packages with its full
 * table have not been updated since Unicode 13. After NFKD only the Cyrillic, Greek and Armenian letters that look like
 * Latin ones need a table, in upper and lower case.
 */
const DRAWN_AS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'аα',
    b: 'вβьЬ',
    c: 'сϲ',
    d: 'ԁժ',
    e: 'еεҽ',
    f: 'ք',
    g: 'ɡց',
    h: 'һհнΗ',
    i: 'іιɩı',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏ|ǀߊ',
    m: 'мμ',
    n: 'ոռΝ',
    o: 'оοօσ0',
    p: 'рρ',
    q: 'ԛզ',
    r: 'гя',
    s: 'ѕՏ$5',
    t: 'тτ',
    u: 'υսц',
    v: 'νѵ',
    w: 'ԝωш',
    x: 'хχ×',
    y: 'уүγΥ',
    z: 'ᴢΖ',
  }).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin])),
);

/** Diacritics, invisible characters, and separators between words. */
const SLIGHT = /[\u0300-\u036f\p{Default_Ignorable_Code_Point}\s\p{Pd}_.'’]/gu;

/** The skeleton of a name, which is equal for names that look alike. Only for comparing, never shown. */
export function lookOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(SLIGHT, '');
  return Array.from(plain, (letter) => DRAWN_AS[letter] ?? DRAWN_AS[letter.toLowerCase()] ?? letter.toLowerCase())
    .join('')
    .replaceAll(/[i1!]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}
