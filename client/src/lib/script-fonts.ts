/**
 * Fonts of scripts other than Latin, for paper: a printed sheet must not depend on what is installed. They are the
 * families of the kneeboard's pictures.
 */
import { useEffect, type CSSProperties } from 'react';

const BEYOND_LATIN =
  /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]|\p{Extended_Pictographic}|\p{Regional_Indicator}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

const CHINESE = "'Chocolate Classical Sans'";
const JAPANESE = 'Kosugi';

/** Families of the scripts, in the order in which they are asked; the same kanji look different in Chinese and in Japanese. */
const familiesFor = (text: string): string[] => [
  "'Noto Sans'",
  ...(KANA.test(text) ? [JAPANESE, CHINESE] : [CHINESE, JAPANESE]),
  "'Gowun Dodum'",
  "'Noto Emoji'",
];

/** The variable `--script-fonts` for an element with the text; its style sheet names the families of Latin before it. */
export const scriptFontsStyle = (text: string): CSSProperties =>
  ({ '--script-fonts': familiesFor(text).join(', ') }) as CSSProperties;

/** Loads the fonts for a text before it is printed: a browser does not wait for fonts when it prints. */
export function useScriptFonts(text: string): void {
  useEffect(() => {
    if (!BEYOND_LATIN.test(text)) return;
    import('./script-font-faces.ts')
      .then(({ loadFonts }) => loadFonts(familiesFor(text), text))
      // Without a connection, the fonts of the machine are used.
      .catch(() => undefined);
  }, [text]);
}
