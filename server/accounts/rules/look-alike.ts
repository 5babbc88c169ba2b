/**
 * Look-alike detection for call signs, after the confusable skeletons of Unicode TR 39. The packages with its full table
 * have not been updated since Unicode 13. After NFKD only the Cyrillic, Greek and Armenian letters that are drawn like Latin
 * ones need a table, in both cases.
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

/** Marks on letters, what draws nothing, and what only holds words apart. */
const SLIGHT = /[\u0300-\u036f\p{Default_Ignorable_Code_Point}\s\p{Pd}_.'’]/gu;

/** The look of a name: equal for two that can be taken for each other, and nothing to be read. */
export function lookOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(SLIGHT, '');
  return Array.from(plain, (letter) => DRAWN_AS[letter] ?? DRAWN_AS[letter.toLowerCase()] ?? letter.toLowerCase())
    .join('')
    .replaceAll(/[i1!]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}
