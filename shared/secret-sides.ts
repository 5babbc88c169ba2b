/** The sides of a mission: whether they are secret, and how much readers see of them. */

/**
 * How much a reader sees of a side of a mission: `plan` is everything; `roster` is the flights with their crews, without
 * frequencies, flight notes, objectives and times on target; `counts` is the flights with their open seats, and no names.
 */
export const PLAN_VIEWS = ['plan', 'roster', 'counts'] as const;
export type PlanView = (typeof PLAN_VIEWS)[number];

export interface SecretSides {
  /** what an admin chose; null for the default */
  secretSides: boolean | null;
  /** number of sides with seats */
  sides: number;
}

/** True while the sides of a mission are secret: by default when both have seats. */
export const hasSecretSides = ({ secretSides, sides }: SecretSides): boolean => secretSides ?? sides > 1;
