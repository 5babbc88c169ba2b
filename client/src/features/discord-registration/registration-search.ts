/** The registration link's search parameters. Small: read in the entry chunk. */
export interface RegistrationSearch {
  discord_id?: string;
  discord_username?: string;
  guild_id?: string;
  session?: string;
}

/**
 * Ids are text. The router makes a number of text that prints as that number, and one Discord id in about a hundred, ending in
 * zeros, does: it becomes text again, the same. Anything else counts as absent.
 */
function readText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** The keys stay: the router lays them over what the address really says. */
export function readRegistrationSearch(search: Record<string, unknown>): RegistrationSearch {
  return {
    discord_id: readText(search['discord_id']),
    discord_username: readText(search['discord_username']),
    guild_id: readText(search['guild_id']),
    session: readText(search['session']),
  };
}
