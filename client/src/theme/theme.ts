import {
  createTheme,
  defaultVariantColorsResolver,
  parseThemeColor,
  type CSSVariablesResolver,
  type VariantColorsResolver,
} from '@mantine/core';
import { INK, WHITE, palette } from './palette.ts';
import { FILLED_SHADE, SIGNALS, schemeVariables } from './tokens.ts';

const signals: ReadonlySet<string> = new Set(SIGNALS);

/** Maps Mantine's button and badge variants to Marshal's tokens, with the same contrast in both schemes. */
const resolveVariantColors: VariantColorsResolver = (input) => {
  const { color, variant, theme } = input;
  const parsed = parseThemeColor({ color: color ?? theme.primaryColor, theme });
  const name = parsed.isThemeColor && parsed.shade === undefined ? parsed.color : undefined;
  if (name === undefined || !signals.has(name)) {
    return defaultVariantColorsResolver(input);
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
    default:
      return defaultVariantColorsResolver(input);
  }
};

export const theme = createTheme({
  colors: palette,
  primaryColor: 'course',
  primaryShade: FILLED_SHADE,
  white: WHITE,
  black: INK,
  defaultRadius: 'sm',
  radius: { xs: '2px', sm: '3px', md: '6px', lg: '10px', xl: '16px' },
  spacing: { xs: '.5rem', sm: '.75rem', md: '1rem', lg: '1.5rem', xl: '2.5rem' },
  fontSizes: { xs: '.8125rem', sm: '.9375rem', md: '1rem', lg: '1.125rem', xl: '1.375rem' },
  fontFamily: "'Atkinson Hyperlegible Next Variable', 'Atkinson stand-in', system-ui, sans-serif",
  fontFamilyMonospace: "'B612 Mono', 'B612 stand-in', ui-monospace, monospace",
  headings: {
    fontFamily: "'Saira Semi Condensed', 'Saira stand-in', system-ui, sans-serif",
    fontWeight: '600',
    textWrap: 'balance',
    sizes: { h1: { fontSize: '2rem' }, h2: { fontSize: '1.5rem' }, h3: { fontSize: '1.125rem' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  variantColorResolver: resolveVariantColors,
});

export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-line-height': '1.5',
    '--plate-font': "600 .875rem/1.4 'Saira Semi Condensed', 'Saira stand-in', system-ui, sans-serif",
    '--ease': '120ms ease-out',
  },
  light: schemeVariables('light'),
  dark: schemeVariables('dark'),
});
