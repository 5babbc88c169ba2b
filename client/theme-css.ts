/** Vite plugin that writes the theme's CSS variables to the style sheet, so that no page computes them when it starts. */
import { createTheme, MantineProvider, type CSSVariablesResolver } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { palette } from './src/theme/palette.ts';
import { theme } from './src/theme/theme.ts';
import { schemeVariables } from './src/theme/tokens.ts';

const STYLE = /<style[^>]*>([\s\S]*)<\/style>/;

const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-line-height': '1.5',
    '--plate-font': "600 .875rem/1.4 'Saira Semi Condensed', 'Saira stand-in', system-ui, sans-serif",
    '--ease': '120ms ease-out',
  },
  light: schemeVariables('light'),
  dark: schemeVariables('dark'),
});

/** The variables as Mantine would write them to a page, without those that have the values of its own style sheet. */
function themeVariables(): string {
  const markup = renderToStaticMarkup(
    createElement(MantineProvider, {
      theme: createTheme({ ...theme, colors: palette }),
      cssVariablesResolver,
      withGlobalClasses: false,
    }),
  );
  const css = STYLE.exec(markup)?.[1];
  if (!css?.includes('--mantine-color-course-0')) throw new Error('Mantine writes no variables for the theme.');
  return css;
}

export function themeCss(): Plugin {
  return {
    name: 'marshal:theme-css',
    enforce: 'pre',
    transform: {
      filter: { id: /client[\\/]src[\\/]theme[\\/]styles\.css$/ },
      handler: (code) => ({ code: `${code}\n${themeVariables()}`, map: null }),
    },
  };
}
