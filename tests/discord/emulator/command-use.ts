/** A slash command as Discord's client lets a person fill it in. */
import { ApplicationCommandOptionType as Kind, type APIApplicationCommandOption } from 'discord-api-types/v10';
import { guildPermissions } from './permissions.ts';
import { channelShape, memberShape, roleShape, userShape } from './shapes.ts';
import { guildOf, type Command, type Person, type World } from './state.ts';

type Value = string | number | boolean;
type Values = Record<string, Value>;
interface Filled {
  name: string;
  type: number;
  value?: Value;
  focused?: boolean;
  options?: Filled[];
}

/**
 * @param path `status set`
 * @param focused the option that is being typed, for an autocomplete; nothing is required then
 * @throws Error in words when Discord's client would not send it
 */
export function resolveCommand(
  world: World,
  person: Person,
  guildId: string | null,
  path: string,
  values: Values,
  focused: { name: string; text: string } | null = null,
): { command: Command; data: object } {
  const [name = '', ...rest] = path.replace(/^\//, '').split(' ');
  const command = usableCommands(world, person, guildId).find((one) => one.name === name);
  if (command === undefined) throw new Error(`${person.username} is offered no command /${name} here`);
  let options = command.options;
  const groups: { name: string; type: number }[] = [];
  for (const word of rest) {
    const sub = options.find((one) => one.name === word);
    if (sub?.type !== Kind.Subcommand && sub?.type !== Kind.SubcommandGroup)
      throw new Error(`/${path}: there is no "${word}"`);
    groups.push({ name: word, type: sub.type });
    options = [...(sub.options ?? [])];
  }
  if (options.some(({ type }) => type === Kind.Subcommand || type === Kind.SubcommandGroup)) {
    throw new Error(`/${path} is not whole: it needs one of ${options.map((one) => one.name).join(', ')}`);
  }
  const leaves = focused === null ? fill(world, path, options, values) : [focus(path, options, focused)];
  const filled = groups.reduceRight<Filled[]>(
    (inner, { name: word, type }) => [{ name: word, type, options: inner }],
    leaves,
  );
  const resolved = resolve(world, guildId, leaves);
  return {
    command,
    data: {
      id: command.id,
      name: command.name,
      type: 1,
      ...(filled.length === 0 ? {} : { options: filled }),
      ...(command.guildId === null ? {} : { guild_id: command.guildId }),
      ...(resolved === null ? {} : { resolved }),
    },
  };
}

/** The commands in this person's menu in this place. */
function usableCommands(world: World, person: Person, guildId: string | null): Command[] {
  const here = [...world.commands.values()].filter(
    (command) => command.guildId === null || command.guildId === guildId,
  );
  if (guildId === null)
    return here.filter(({ contexts, dmPermission }) => (contexts === null ? dmPermission : contexts.includes(1)));
  const guild = guildOf(world, guildId);
  const member = guild.members.get(person.id);
  const permissions = member === undefined ? 0n : guildPermissions(guild, member);
  return here.filter(({ contexts, defaultMemberPermissions }) => {
    const needed = BigInt(defaultMemberPermissions ?? 0);
    // '0' hides a command from everyone but administrators
    const isAdmin = (permissions & 8n) !== 0n;
    const isAllowed = defaultMemberPermissions === '0' ? isAdmin : (permissions & needed) === needed;
    return isAllowed && (contexts === null || contexts.includes(0));
  });
}

function fill(world: World, path: string, options: readonly APIApplicationCommandOption[], values: Values): Filled[] {
  const unknown = Object.keys(values).find((name) => !options.some((option) => option.name === name));
  if (unknown !== undefined) throw new Error(`/${path} has no option "${unknown}"`);
  return options.flatMap((option) => {
    const value = values[option.name];
    if (value === undefined) {
      if (option.required === true) throw new Error(`/${path} needs its option "${option.name}"`);
      return [];
    }
    const problem = problemOf(world, option, value);
    if (problem !== null) throw new Error(`/${path}: the option "${option.name}" ${problem}`);
    return [{ name: option.name, type: option.type, value }];
  });
}

function focus(
  path: string,
  options: readonly APIApplicationCommandOption[],
  { name, text }: { name: string; text: string },
): Filled {
  const option = options.find((one) => one.name === name);
  if (option === undefined || !('autocomplete' in option) || option.autocomplete !== true) {
    throw new Error(`/${path}: "${name}" is no option with autocomplete`);
  }
  return { name, type: option.type, value: text, focused: true };
}

/** The reason why the value is not allowed, or null. */
function problemOf(world: World, option: APIApplicationCommandOption, value: Value): string | null {
  if ('choices' in option && option.choices?.length && !option.choices.some((choice) => choice.value === value)) {
    return `takes only ${option.choices.map((choice) => JSON.stringify(choice.value)).join(', ')}`;
  }
  switch (option.type) {
    case Kind.String: {
      if (typeof value !== 'string') return 'takes text';
      const { min_length: least = 0, max_length: most = 6000 } = option;
      return value.length < least || value.length > most ? `takes ${least} to ${most} characters` : null;
    }
    case Kind.Integer:
    case Kind.Number: {
      if (typeof value !== 'number') return 'takes a number';
      if (option.type === Kind.Integer && !Number.isSafeInteger(value)) return 'takes a whole number';
      const { min_value: least = -(2 ** 53), max_value: most = 2 ** 53 } = option;
      return value < least || value > most ? `takes ${least} to ${most}` : null;
    }
    case Kind.Boolean:
      return typeof value === 'boolean' ? null : 'takes true or false';
    case Kind.Channel: {
      const channel = world.channels.get(String(value));
      if (channel === undefined) return 'takes the id of a channel';
      const types: readonly number[] = option.channel_types ?? [channel.type];
      return types.includes(channel.type) ? null : 'takes another type of channel';
    }
    case Kind.User:
      return world.people.has(String(value)) ? null : 'takes the id of a person';
    case Kind.Role:
    case Kind.Mentionable:
    case Kind.Attachment:
      return typeof value === 'string' ? null : 'takes an id';
    case Kind.Subcommand:
    case Kind.SubcommandGroup:
      return 'is a command of its own';
  }
}

/** Resolves the ids in the options. */
function resolve(world: World, guildId: string | null, leaves: readonly Filled[]): object | null {
  const guild = world.guilds.get(guildId ?? '');
  const ids = (type: Kind) => leaves.filter((leaf) => leaf.type === type).map((leaf) => String(leaf.value));
  const named = <T>(list: readonly string[], make: (id: string) => T | undefined) =>
    Object.fromEntries(list.flatMap((id) => (make(id) === undefined ? [] : [[id, make(id)] as const])));
  const users = named([...ids(Kind.User), ...ids(Kind.Mentionable)], (id) => {
    const person = world.people.get(id);
    return person && userShape(person);
  });
  const members = named(Object.keys(users), (id) => {
    const member = guild?.members.get(id);
    if (guild === undefined || member === undefined) return undefined;
    const { user: _user, mute: _mute, deaf: _deaf, ...rest } = memberShape(member);
    return { ...rest, permissions: guildPermissions(guild, member).toString() };
  });
  const channels = named(ids(Kind.Channel), (id) => {
    const channel = world.channels.get(id);
    return channel && { ...channelShape(channel), permissions: '0' };
  });
  const roles = named([...ids(Kind.Role), ...ids(Kind.Mentionable)], (id) => {
    const role = guild?.roles.get(id);
    return role && roleShape(role, world);
  });
  const all = Object.entries({ users, members, channels, roles }).filter(([, found]) => Object.keys(found).length > 0);
  return all.length === 0 ? null : Object.fromEntries(all);
}
