/** Search parameter of a day of missions. Small: it is read in the entry chunk. */
export interface MissionLink {
  /** the mission that is meant among those of the day */
  mission?: string;
}

/** Anything that is no id counts as absent. The key stays: the router lays it over what the address really says. */
export function readMissionLink({ mission }: Record<string, unknown>): MissionLink {
  return { mission: typeof mission === 'string' && /^[\da-f-]{36}$/i.test(mission) ? mission : undefined };
}
