/** Colours of the kneeboard image: they are those of the client's theme, with sufficient contrast. */
import { describe, expect, test } from 'vitest';
import { palette } from '#client/theme/palette.ts';
import { signalTokens, surfaceTokens } from '#client/theme/tokens.ts';
import { CARD_COLOURS } from '#server/missions/briefing/kneeboard-elements.ts';
import { KNEEBOARD_SCHEMES } from '#shared/vocabulary.ts';

const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** WCAG's contrast ratio. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

test.each([
  ['day', 'light', palette.gray[0]],
  ['night', 'dark', palette.dark[8]],
] as const)('by %s the colours are those of the %s scheme', (scheme, theme, paper) => {
  const surface = surfaceTokens(theme);
  expect(CARD_COLOURS[scheme]).toMatchObject({
    paper,
    ink: surface.text,
    dimmed: surface.dimmed,
    line: surface.border,
    course: signalTokens(theme, 'course').text,
    blue: signalTokens(theme, 'blue').text,
    red: signalTokens(theme, 'red').text,
  });
});

describe.each(KNEEBOARD_SCHEMES)('by %s', (scheme) => {
  const { paper, line, rule: _rule, ...words } = CARD_COLOURS[scheme];
  test.each(Object.entries(words))('%s is legible on paper', (_name, colour) => {
    expect(contrast(colour, paper)).toBeGreaterThanOrEqual(4.5);
  });
  test('boxes are visible', () => expect(contrast(line, paper)).toBeGreaterThanOrEqual(3));
});
