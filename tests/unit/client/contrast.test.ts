import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { WHITE, palette } from '#client/theme/palette.ts';
import { AVATAR_HUES } from '#client/domain-ui/avatar-look.ts';
import {
  AVATAR_FILL,
  FILLED_SHADE,
  SIGNALS,
  TINT,
  signalTokens,
  surfaceTokens,
  type Scheme,
} from '#client/theme/tokens.ts';

const SCHEMES: Scheme[] = ['light', 'dark'];

type Rgb = [number, number, number];

/** Linear-light channels 0..1 of `#rrggbb`. */
function linear(hex: string): Rgb {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** WCAG 2 relative luminance. */
function luminance([r, g, b]: Rgb): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2 contrast ratio, 1 to 21. */
function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** Ottosson's OKLab matrices, as CSS Color 4 gives them. */
function toOklab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function fromOklab([lightness, a, b]: Rgb): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** CSS color-mix(in oklab, a share%, b). */
function mix(a: string, share: number, b: string): Rgb {
  const [one, two] = [toOklab(linear(a)), toOklab(linear(b))];
  const part = (i: 0 | 1 | 2): number => (one[i] * share + two[i] * (100 - share)) / 100;
  return fromOklab([part(0), part(1), part(2)]);
}

test('the oracle agrees on the ratios of black and of WCAG grey #767676 on white', () => {
  expect(contrast(linear('#000000'), linear(WHITE))).toBeCloseTo(21, 5);
  expect(contrast(linear('#767676'), linear(WHITE))).toBeCloseTo(4.54, 2);
});

describe.each(SCHEMES)('in the %s scheme', (scheme) => {
  const surface = surfaceTokens(scheme);
  const floors = { body: surface.body, panel: surface.panel, raised: surface.raised };

  test.each(AVATAR_HUES)('initials keep 4.5:1 on an avatar of hue %i', (hue) => {
    const { lightness, chroma } = AVATAR_FILL[scheme];
    const angle = (hue * Math.PI) / 180;
    const fill = fromOklab([lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]);
    expect(contrast(linear(surface.text), fill)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(Object.entries(floors))('every text keeps 4.5:1 on the %s', (_name, floor) => {
    for (const text of [surface.text, surface.dimmed, surface.anchor, surface.error]) {
      expect(contrast(linear(text), linear(floor)), `${text} on ${floor}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test.each([
    ['body', surface.body],
    ['panel', surface.panel],
  ])('input borders keep 3:1 on the %s', (_name, floor) => {
    expect(contrast(linear(surface.border), linear(floor))).toBeGreaterThanOrEqual(3);
  });

  test.each(SIGNALS)('%s text keeps 4.5:1 on every surface and on its own tint, hovered too', (signal) => {
    const { text, lamp } = signalTokens(scheme, signal);
    for (const floor of Object.values(floors)) {
      expect(contrast(linear(text), linear(floor)), `${text} on ${floor}`).toBeGreaterThanOrEqual(4.5);
    }
    for (const share of [TINT.rest, TINT.hover]) {
      expect(contrast(linear(text), mix(lamp, share, surface.panel)), `on ${share} %`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test.each(SIGNALS)('%s lamp keeps 3:1 on body and panel', (signal) => {
    const { lamp } = signalTokens(scheme, signal);
    for (const floor of [surface.body, surface.panel]) {
      expect(contrast(linear(lamp), linear(floor)), `${lamp} on ${floor}`).toBeGreaterThanOrEqual(3);
    }
  });

  test.each(SIGNALS)('text on a filled %s keeps 4.5:1, hovered too', (signal) => {
    const { on } = signalTokens(scheme, signal);
    const shade = FILLED_SHADE[scheme];
    for (const fill of [palette[signal][shade], palette[signal][scheme === 'light' ? 8 : 5]]) {
      expect(contrast(linear(on), linear(fill)), `${on} on ${fill}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('ordinary text keeps 4.5:1 on a lit lamp', () => {
    for (const signal of SIGNALS) {
      const tint = mix(signalTokens(scheme, signal).lamp, TINT.rest, surface.panel);
      expect(contrast(linear(surface.text), tint), signal).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('the first paint has the surface and ink of the tokens', () => {
    const css = readFileSync(new URL(import.meta.resolve('#client/theme/base.css')), 'utf8');
    const rule = css.slice(css.indexOf(`[data-mantine-color-scheme='${scheme}']`)).split('}')[0];
    expect(rule).toContain(`background: ${surface.body}`);
    expect(rule).toContain(`color: ${surface.text}`);
  });
});
