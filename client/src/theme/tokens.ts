import { INK, WHITE, palette, type Hue } from './palette.ts';

export type Scheme = 'light' | 'dark';

/** Colours with a meaning; `dark` is only used for surfaces. */
export const SIGNALS = ['course', 'cyan', 'green', 'yellow', 'red', 'blue', 'gray'] as const satisfies readonly Hue[];
export type Signal = (typeof SIGNALS)[number];

/** Percentage of the lamp colour in a tint (`light` buttons, badges, lit lamps), at rest and on hover. */
export const TINT = { rest: 15, hover: 20 } as const;

/** Step of each ramp for filled buttons. */
export const FILLED_SHADE = { light: 7, dark: 4 } as const;

/** Cyan and green text is one step darker by day, to keep a contrast of 4.5:1 on a hovered tint. */
const DAY_TEXT_SHADE: Partial<Record<Signal, 8>> = { cyan: 8, green: 8 };

/** Hex colours of a signal in one scheme. */
export function signalTokens(scheme: Scheme, signal: Signal): { on: string; text: string; lamp: string } {
  const ramp = palette[signal];
  return scheme === 'light'
    ? { on: WHITE, text: ramp[DAY_TEXT_SHADE[signal] ?? 7], lamp: ramp[6] }
    : { on: INK, text: ramp[3], lamp: ramp[4] };
}

/** Hex colours of surfaces, text and lines in one scheme. */
export function surfaceTokens(scheme: Scheme) {
  const { gray, dark, course, red } = palette;
  return scheme === 'light'
    ? {
        body: gray[1],
        panel: gray[0],
        raised: WHITE,
        seam: gray[4],
        text: gray[9],
        dimmed: gray[7],
        border: gray[6],
        anchor: course[7],
        error: red[7],
      }
    : {
        body: dark[8],
        panel: dark[7],
        raised: dark[6],
        seam: dark[5],
        text: dark[0],
        dimmed: dark[2],
        border: dark[4],
        anchor: course[3],
        error: red[3],
      };
}

/** Fill of avatars in OKLCH, whose hue comes from the call sign. */
export const AVATAR_FILL = {
  light: { lightness: 0.87, chroma: 0.07 },
  dark: { lightness: 0.42, chroma: 0.08 },
} as const satisfies Record<Scheme, { lightness: number; chroma: number }>;

/** CSS variables of one scheme, with Mantine's names where it has one. */
export function schemeVariables(scheme: Scheme): Record<string, string> {
  const surface = surfaceTokens(scheme);
  const variables: Record<string, string> = {
    '--mantine-color-body': surface.body,
    '--mantine-color-text': surface.text,
    '--mantine-color-bright': surface.text,
    '--mantine-color-dimmed': surface.dimmed,
    '--mantine-color-placeholder': surface.dimmed,
    '--mantine-color-default': surface.raised,
    '--mantine-color-default-hover': `color-mix(in oklab, ${surface.text} 8%, ${surface.raised})`,
    '--mantine-color-default-color': surface.text,
    '--mantine-color-default-border': surface.border,
    '--mantine-color-anchor': surface.anchor,
    '--mantine-color-error': surface.error,
    '--panel': surface.panel,
    '--raised': surface.raised,
    '--seam': surface.seam,
    '--avatar-lightness': String(AVATAR_FILL[scheme].lightness),
    '--avatar-chroma': String(AVATAR_FILL[scheme].chroma),
    '--grid-ink': `color-mix(in srgb, ${surface.text} 4.5%, transparent)`,
  };
  for (const signal of SIGNALS) {
    const { on, text, lamp } = signalTokens(scheme, signal);
    variables[`--${signal}-on`] = on;
    variables[`--${signal}-text`] = text;
    variables[`--${signal}-lamp`] = lamp;
    variables[`--${signal}-tint`] = `color-mix(in oklab, ${lamp} ${TINT.rest}%, ${surface.panel})`;
    variables[`--${signal}-tint-hover`] = `color-mix(in oklab, ${lamp} ${TINT.hover}%, ${surface.panel})`;
  }
  return variables;
}
