/** Registration of the slash commands with Discord. */
import { Routes, type Client, type Snowflake } from 'discord.js';
import { COMMANDS } from './commands/all.ts';

/** Properties that are compared. Discord's answer also contains ids, versions and defaults. */
const SAID = [
  'type',
  'name',
  'description',
  'required',
  'autocomplete',
  'value',
  'choices',
  'channel_types',
  'min_value',
  'max_value',
  'options',
  'default_member_permissions',
  'contexts',
  'integration_types',
] as const;

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);

/** Normalized form of a command: equal for two commands with the same definition. */
function essenceOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essenceOf);
  if (typeof value !== 'object' || value === null) return value;
  return SAID.map((key) => [key, Reflect.get(value, key) as unknown])
    .filter(([, part]) => isSaid(part))
    .map(([key, part]) => [key, essenceOf(part)]);
}

const essencesOf = (commands: readonly unknown[]): string[] =>
  commands.map((command) => JSON.stringify(essenceOf(command))).toSorted();

/** Registers all commands in one request, unless Discord already has the same ones. */
export async function registerCommands(client: Client, applicationId: Snowflake): Promise<void> {
  const route = Routes.applicationCommands(applicationId);
  const wanted = COMMANDS.map(({ data }) => data.toJSON());
  const known = (await client.rest.get(route)) as unknown[];
  const isKnown = JSON.stringify(essencesOf(known)) === JSON.stringify(essencesOf(wanted));
  if (!isKnown) await client.rest.put(route, { body: wanted });
}
