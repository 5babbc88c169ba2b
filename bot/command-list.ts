/** Registration of the slash commands with Discord. */
import { Locale, Routes, type APIApplicationCommandOption, type Client, type Snowflake } from 'discord.js';
import { isText, isTranslated, type TextKey, textsFor } from '#shared/discord-texts/catalogue.ts';
import { COMMANDS } from './commands/all.ts';

/** Properties that are compared. Discord's answer also contains ids, versions and defaults. */
const SAID = [
  'type',
  'name',
  'description',
  'description_localizations',
  'required',
  'autocomplete',
  'value',
  'choices',
  'name_localizations',
  'channel_types',
  'min_value',
  'max_value',
  'options',
  'default_member_permissions',
  'contexts',
  'integration_types',
] as const;

/** Discord's limit on descriptions and the names of choices. */
const TEXT_MAX = 100;

const isSaid = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  !(typeof value === 'object' && Object.keys(value).length === 0);

const LOCALES: readonly string[] = Object.values(Locale);
const isByLocale = (value: object) =>
  Object.keys(value).length > 0 && Object.keys(value).every((key) => LOCALES.includes(key));

/** Normalized form of a command: equal for two commands with the same definition. */
function essenceOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essenceOf);
  if (typeof value !== 'object' || value === null) return value;
  if (isByLocale(value)) return Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return SAID.map((key) => [key, Reflect.get(value, key) as unknown])
    .filter(([, part]) => isSaid(part))
    .map(([key, part]) => [key, essenceOf(part)]);
}

const essencesOf = (commands: readonly unknown[]): string[] =>
  commands.map((command) => JSON.stringify(essenceOf(command))).toSorted();

/** A text in the languages that have a catalogue; the names of commands stay, since other texts mention them. */
const inOtherLanguages = (key: TextKey): Record<string, string> =>
  Object.fromEntries(
    LOCALES.filter(isTranslated).map((locale) => [
      locale,
      Array.from(textsFor(locale)(key)).slice(0, TEXT_MAX).join(''),
    ]),
  );

interface Described {
  name: string;
  options?: readonly APIApplicationCommandOption[];
  choices?: readonly { name: string; value: string | number }[];
}

/** A command, or an option of one, with its texts in all languages. @param path the keys of its texts begin with this */
function localise(part: Described, path: string): object {
  const { options, choices } = part;
  return {
    ...part,
    ...(isText(path) ? { description_localizations: inOtherLanguages(path) } : {}),
    ...(options === undefined
      ? {}
      : { options: options.map((option) => localise(option as Described, `${path}.${option.name}`)) }),
    ...(choices === undefined
      ? {}
      : {
          choices: choices.map((choice) => {
            const key = `${path}.${choice.value}`;
            return isText(key) ? { ...choice, name_localizations: inOtherLanguages(key) } : choice;
          }),
        }),
  };
}

/** Registers all commands in one request, unless Discord already has the same ones. */
export async function registerCommands(client: Client, applicationId: Snowflake): Promise<void> {
  const route = Routes.applicationCommands(applicationId);
  const wanted = COMMANDS.map(({ data }) => localise(data.toJSON(), `command.${data.name}`));
  const known = (await client.rest.get(route, {
    query: new URLSearchParams({ with_localizations: 'true' }),
  })) as unknown[];
  const isKnown = JSON.stringify(essencesOf(known)) === JSON.stringify(essencesOf(wanted));
  if (!isKnown) await client.rest.put(route, { body: wanted });
}
