/** Device name from a User-Agent header: browser and operating system. */

type Sign = readonly [sign: RegExp, name: string];

/** Browsers also name the ones they descend from, so the most specific comes first. */
const BROWSERS: readonly Sign[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera|OPiOS)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+.* Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(?:node|undici)(?:\/|$)/, 'Node.js'],
  [/\bpython-/i, 'Python'],
];

/** Android calls itself Linux and an iPhone "like Mac OS X", so they come before these. */
const SYSTEMS: readonly Sign[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (signs: readonly Sign[], text: string) => signs.find(([sign]) => sign.test(text))?.[1];

/**
 * @param userAgent the User-Agent header as it was sent; null when there was none
 * @returns `Firefox on Windows`, or the part that is known, or `Unknown device`
 */
export function describeDevice(userAgent: string | null): string {
  const [browser, system] = [nameIn(BROWSERS, userAgent ?? ''), nameIn(SYSTEMS, userAgent ?? '')];
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Unknown device');
}
