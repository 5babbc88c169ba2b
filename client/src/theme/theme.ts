import { createTheme, type MantineColorsTuple, type VariantColorsResolver } from '@mantine/core';
import { INK, WHITE, type Hue } from './palette.ts';
import { FILLED_SHADE, SIGNALS } from './tokens.ts';

/** The steps of a ramp as CSS variables, which are in the style sheet (client/theme-css.ts), so that no page loads the palette. */
function steps(hue: Hue): MantineColorsTuple {
  const step = (index: number): string => `var(--mantine-color-${hue}-${index})`;
  return [step(0), step(1), step(2), step(3), step(4), step(5), step(6), step(7), step(8), step(9)];
}

/** Maps Mantine's button and badge variants to Marshal's tokens, with the same contrast in both schemes. */
const resolveVariantColors: VariantColorsResolver = ({ color, variant, theme: { primaryColor } }) => {
  const name = SIGNALS.find((signal) => signal === (color ?? primaryColor));
  if (name === undefined) {
    throw new Error(`${color} is not one of Marshal's signals.`);
  }
  switch (variant) {
    case 'filled':
      return {
        background: `var(--mantine-color-${name}-filled)`,
        hover: `var(--mantine-color-${name}-filled-hover)`,
        color: `var(--${name}-on)`,
        border: '1px solid transparent',
      };
    case 'light':
      return {
        background: `var(--${name}-tint)`,
        hover: `var(--${name}-tint-hover)`,
        color: `var(--${name}-text)`,
        border: '1px solid transparent',
      };
    case 'outline':
      return {
        background: 'transparent',
        hover: `var(--${name}-tint)`,
        color: `var(--${name}-text)`,
        border: `1px solid var(--${name}-lamp)`,
      };
    case 'subtle':
      return {
        background: 'transparent',
        hover: `var(--${name}-tint)`,
        color: `var(--${name}-text)`,
        border: '1px solid transparent',
      };
    case 'transparent':
      return {
        background: 'transparent',
        hover: 'transparent',
        color: `var(--${name}-text)`,
        border: '1px solid transparent',
      };
    case 'default':
      return {
        background: 'var(--mantine-color-default)',
        hover: 'var(--mantine-color-default-hover)',
        color: 'var(--mantine-color-default-color)',
        border: '1px solid var(--mantine-color-default-border)',
      };
    default:
      throw new Error(`Marshal has no colours for the variant ${variant}.`);
  }
};

export const theme = createTheme({
  colors: Object.fromEntries([...SIGNALS, 'dark' as const].map((hue) => [hue, steps(hue)])),
  primaryColor: 'course',
  primaryShade: FILLED_SHADE,
  white: WHITE,
  black: INK,
  defaultRadius: 'sm',
  radius: { xs: '2px', sm: '3px', md: '6px', lg: '10px', xl: '16px' },
  spacing: { xs: '.5rem', sm: '.75rem', md: '1rem', lg: '1.5rem', xl: '2.5rem' },
  fontSizes: { xs: '.8125rem', sm: '.9375rem', md: '1rem', lg: '1.125rem', xl: '1.375rem' },
  fontFamily:
    "'Atkinson Hyperlegible Next Variable', 'Atkinson stand-in', 'Atkinson wide stand-in', system-ui, sans-serif",
  fontFamilyMonospace: "'B612 Mono', 'B612 stand-in', ui-monospace, monospace",
  headings: {
    fontFamily: "'Saira Semi Condensed', 'Saira stand-in', 'Saira wide stand-in', system-ui, sans-serif",
    fontWeight: '600',
    textWrap: 'balance',
    sizes: { h1: { fontSize: '2rem' }, h2: { fontSize: '1.5rem' }, h3: { fontSize: '1.125rem' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  variantColorResolver: resolveVariantColors,
});
