/** The colours of embeds in Discord, by what they say of a mission, an order or a reminder. */
export const COLOURS = {
  /** somebody waits for the reader's answer */
  asks: 0xf2a33a,
  /** the reader has a seat, or the mission flies */
  holds: 0x3fa34d,
  /** still ahead: seats are open, or the reader stands by */
  waits: 0x4a7fb5,
  over: 0x6b7280,
} as const;
