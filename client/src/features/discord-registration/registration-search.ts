/** Search parameters of the registration link. Kept small, because the entry chunk contains it. */
export interface RegistrationSearch {
  discord_id?: string;
  discord_username?: string;
  guild_id?: string;
  session?: string;
}

/**
 * Reads an id as text. The router parses text as a number when it converts back to the same text, which happens for about one
 * Discord id in a hundred (those ending in zeros); such a number becomes text again.
 */
function readText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** All keys are returned, because the router merges them over the raw parameters. */
export function readRegistrationSearch(search: Record<string, unknown>): RegistrationSearch {
  return {
    discord_id: readText(search['discord_id']),
    discord_username: readText(search['discord_username']),
    guild_id: readText(search['guild_id']),
    session: readText(search['session']),
  };
}
