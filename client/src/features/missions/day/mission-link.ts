/** Search parameters of the mission details page. Kept small, because the entry chunk contains it. */
const TABS = ['roster', 'orders', 'unseated', 'thread', 'log'] as const;
export type MissionTab = (typeof TABS)[number];

export interface MissionLink {
  /** id of the linked mission */
  mission?: string;
  /** part of the linked mission that is shown; the roster by default */
  tab?: MissionTab;
}

/** True for the id of a mission, where a date is expected. */
export const isMissionId = (text: string): boolean => /^[\da-f-]{36}$/i.test(text);

/** Invalid values become undefined. All keys are returned, because the router merges them over the raw parameters. */
export function readMissionLink({ mission, tab }: Record<string, unknown>): MissionLink {
  return {
    mission: typeof mission === 'string' && isMissionId(mission) ? mission : undefined,
    tab: TABS.find((one) => one === tab),
  };
}
