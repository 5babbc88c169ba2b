/** Vite plugin that writes the theme's CSS variables to the style sheet, so that no page computes them when it starts. */
import { createTheme, MantineProvider, type CSSVariablesResolver } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { palette } from './src/theme/palette.ts';
import { theme } from './src/theme/theme.ts';
import { schemeVariables } from './src/theme/tokens.ts';

const STYLE = /<style[^>]*>([\s\S]*)<\/style>/;

/** Mantine's is a shade of teal, which the theme does not have. */
const SUCCESS = { '--mantine-color-success': 'var(--green-text)' };

const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-line-height': '1.5',
    '--plate-font': '600 .875rem/1.4 var(--mantine-font-family-headings)',
    '--ease': '120ms ease-out',
  },
  light: { ...schemeVariables('light'), ...SUCCESS },
  dark: { ...schemeVariables('dark'), ...SUCCESS },
});

/** Variables that no style sheet and no part of Marshal reads: other hues, shades of variants that the theme replaces, headings. */
const UNUSED = new RegExp(
  [
    `^--mantine-color-(?!(?:${Object.keys(palette).join('|')})-)[a-z]+-(?:\\d|text|filled|outline|light)`,
    '-(?:light|light-hover|light-color|outline-hover)$',
    '^--mantine-(?:breakpoint|h\\d|z-index)-',
    '^--mantine-shadow-(?!xs)',
  ].join('|'),
);

/** All of Mantine's variables with the values of the theme. A test finds one that is read and missing (tests/ui/build.test.ts). */
function themeVariables(): string {
  const markup = renderToStaticMarkup(
    createElement(MantineProvider, {
      theme: createTheme({ ...theme, colors: palette }),
      cssVariablesResolver,
      deduplicateCssVariables: false,
      withGlobalClasses: false,
    }),
  );
  const css = STYLE.exec(markup)?.[1];
  if (!css?.includes('--mantine-color-course-0')) throw new Error('Mantine writes no variables for the theme.');
  // Mantine writes some selectors twice; the later value counts.
  const blocks = new Map<string, Map<string, string>>();
  for (const [, selector = '', body = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const block = blocks.get(selector.trim()) ?? new Map<string, string>();
    blocks.set(selector.trim(), block);
    for (const [, name = '', value = ''] of body.matchAll(/(--[\w-]+):\s*([^;]+);/g)) {
      if (!UNUSED.test(name)) block.set(name, value);
    }
  }
  const write = ([selector, block]: [string, Map<string, string>]): string =>
    `${selector}{${[...block].map(([name, value]) => `${name}:${value};`).join('')}}`;
  return [...blocks].map(write).join('\n');
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
