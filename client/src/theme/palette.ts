/**
 * The ramps of "Magenta Line": ten steps each, light to dark, from OKLCH lightness
 * .972 .935 .875 .815 .745 .665 .575 .495 .405 .315, clamped to sRGB.
 * `gray` is kneeboard paper, `dark` the cockpit panel (its step 4 is lifted so that input borders reach 3:1 on the panel).
 */

type Ramp = readonly [string, string, string, string, string, string, string, string, string, string];

/* @__NO_SIDE_EFFECTS__ */
function ramp(steps: string): Ramp {
  const [a, b, c, d, e, f, g, h, i, j] = steps.split(' ');
  if (!a || !b || !c || !d || !e || !f || !g || !h || !i || !j) {
    throw new Error('A ramp has ten steps.');
  }
  return [a, b, c, d, e, f, g, h, i, j];
}

export const palette = {
  course: ramp('#fff1fc #ffdef9 #ffbdf5 #fc9bef #f176e3 #db55cd #bc35b0 #9d2192 #781270 #540a4e'),
  cyan: ramp('#ebf9fb #d0f1f5 #a5e2e9 #76d4de #36c1cf #00a7b5 #008994 #006f79 #00535b #00393e'),
  green: ramp('#edfaef #d4f3db #ade6bb #85d99c #54c77b #22af5e #009149 #00763a #00592a #003d1b'),
  yellow: ramp('#fdf4e8 #fbe6ca #f4cf9d #edb86c #e09e2e #c58500 #a26d00 #845800 #644100 #452c00'),
  red: ramp('#fff2f1 #ffe2df #ffc6c0 #ffa8a0 #ff817a #f8504f #d72d34 #b51723 #8b0715 #62040c'),
  blue: ramp('#f0f6ff #dcebff #bcd8ff #9bc5ff #72afff #4894f6 #2a77d7 #1860b5 #0b478c #063062'),
  gray: ramp('#fbfaf6 #f5f3ed #eceae1 #dfdcd2 #cac7bd #a5a39a #7e7c74 #5e5c55 #3f3d37 #23221d'),
  dark: ramp('#dee4e7 #c4ccd0 #a4aeb3 #7d888e #5c6a71 #323e43 #1e2a2f #131d22 #0c1519 #060d11'),
} as const;

export type Hue = keyof typeof palette;

export const WHITE = '#ffffff';
export const INK = '#060d11';
