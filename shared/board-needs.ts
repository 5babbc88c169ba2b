/** The kinds of needs on the operations board: too few pilots, or silent ones. */

/** Why an admin nudges pilots: their order has no answer, or their seat no confirmation. */
export const NUDGES = ['unanswered', 'unconfirmed'] as const;
export type Nudge = (typeof NUDGES)[number];

export const BOARD_NEEDS = ['short', ...NUDGES] as const;
