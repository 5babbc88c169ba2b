/** Loads fonts by style sheets that divide each family into files by code points: a text loads only those that it needs. */
import '@fontsource/noto-sans/400.css';
import '@fontsource/noto-sans/700.css';
import '@fontsource/chocolate-classical-sans/400.css';
import '@fontsource/kosugi/400.css';
import '@fontsource/gowun-dodum/400.css';
import '@fontsource/noto-emoji/400.css';

export async function loadFonts(families: readonly string[], text: string): Promise<void> {
  const fonts = families.flatMap((family) => [`1em ${family}`, `700 1em ${family}`]);
  await Promise.all(fonts.map((font) => document.fonts.load(font, text)));
}
