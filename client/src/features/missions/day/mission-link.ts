/** Search parameter of the mission details page. Kept small, because the entry chunk contains it. */
export interface MissionLink {
  /** id of the linked mission */
  mission?: string;
}

/** An invalid id becomes undefined. The key is always returned, because the router merges it over the raw parameters. */
export function readMissionLink({ mission }: Record<string, unknown>): MissionLink {
  return { mission: typeof mission === 'string' && /^[\da-f-]{36}$/i.test(mission) ? mission : undefined };
}
