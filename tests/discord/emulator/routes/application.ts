/** The application, its bot, and its commands. */
import type { APIApplicationCommandOption } from 'discord-api-types/v10';
import { refusals } from '#tests/discord/emulator/errors.ts';
import { removeBot } from '#tests/discord/emulator/guild-acts.ts';
import { nextId } from '#tests/discord/emulator/ids.ts';
import { applicationShape, commandShape, ownGuildShape, userShape } from '#tests/discord/emulator/shapes.ts';
import type { Command, World } from '#tests/discord/emulator/state.ts';
import { ownGuild } from './guilds.ts';
import type { Answer, Call, Route } from './route.ts';

const COMMANDS = '/applications/{application_id}/commands';
const GUILD_COMMANDS = '/applications/{application_id}/guilds/{guild_id}/commands';

interface CommandBody {
  name: string;
  description?: string;
  description_localizations?: Record<string, string | null> | null;
  options?: APIApplicationCommandOption[] | null;
  default_member_permissions?: string | number | null;
  dm_permission?: boolean | null;
  contexts?: number[] | null;
}

/** null: the application's commands everywhere. @throws DiscordError 50001, 10004 */
function scopeOf(world: World, { params }: Call): string | null {
  if (params['application_id'] !== world.applicationId) throw refusals.missingAccess();
  const guildId = params['guild_id'];
  if (guildId === undefined) return null;
  if (!world.guilds.get(guildId)?.isInstalled) throw refusals.missingAccess();
  return guildId;
}

function ofScope(world: World, guildId: string | null): Command[] {
  return [...world.commands.values()].filter((command) => command.guildId === guildId);
}

/** A command of the same name and place keeps its id. */
function save(world: World, guildId: string | null, body: CommandBody): Command {
  const before = ofScope(world, guildId).find(({ name }) => name === body.name);
  const permissions = body.default_member_permissions ?? null;
  const command: Command = {
    id: before?.id ?? nextId(),
    guildId,
    name: body.name,
    description: body.description ?? '',
    descriptionLocalizations: body.description_localizations ?? null,
    options: body.options ?? [],
    defaultMemberPermissions: permissions === null ? null : String(permissions),
    contexts: body.contexts ?? null,
    dmPermission: body.dm_permission ?? true,
  };
  world.commands.set(command.id, command);
  world.changed();
  return command;
}

const list = (world: World, call: Call): Answer => ({
  body: ofScope(world, scopeOf(world, call)).map((command) =>
    commandShape(command, world, call.query.get('with_localizations') === 'true'),
  ),
});

const replaceAll = (world: World, call: Call): Answer => {
  const guildId = scopeOf(world, call);
  const bodies = (call.body ?? []) as CommandBody[];
  for (const old of ofScope(world, guildId)) {
    if (!bodies.some(({ name }) => name === old.name)) world.commands.delete(old.id);
  }
  return { body: bodies.map((body) => commandShape(save(world, guildId, body), world, true)) };
};

const create = (world: World, call: Call): Answer => {
  const guildId = scopeOf(world, call);
  const { name } = call.body as CommandBody;
  const isNew = !ofScope(world, guildId).some((command) => command.name === name);
  return { status: isNew ? 201 : 200, body: commandShape(save(world, guildId, call.body as CommandBody), world, true) };
};

const remove = (world: World, call: Call): Answer => {
  const guildId = scopeOf(world, call);
  const command = world.commands.get(call.params['command_id'] ?? '');
  if (command === undefined || command.guildId !== guildId) throw refusals.unknownCommand();
  world.commands.delete(command.id);
  world.changed();
  return {};
};

export const applicationRoutes: readonly Route[] = [
  ...['/applications/@me', '/oauth2/applications/@me'].map((path): Route => ({
    method: 'GET',
    path,
    handle: (world) => ({ body: applicationShape(world) }),
  })),
  {
    method: 'GET',
    path: '/users/@me',
    access: 'any',
    handle: (world, { person }) => ({
      body: {
        ...userShape(person ?? world.bot),
        mfa_enabled: false,
        locale: 'en-US',
        premium_type: 0,
        ...(person === null ? { verified: true, email: null } : {}),
      },
    }),
  },
  {
    method: 'GET',
    path: '/users/@me/guilds',
    handle: (world, { query }) => {
      const limit = Number(query.get('limit') ?? 200);
      const installed = [...world.guilds.values()].filter((guild) => guild.isInstalled);
      return { body: installed.slice(0, limit).map((guild) => ownGuildShape(guild, world)) };
    },
  },
  {
    method: 'DELETE',
    path: '/users/@me/guilds/{guild_id}',
    handle: (world, call) => {
      removeBot(world, ownGuild(world, call).id);
      return {};
    },
  },
  ...[COMMANDS, GUILD_COMMANDS].flatMap((path): Route[] => [
    { method: 'GET', path, handle: list },
    { method: 'PUT', path, handle: replaceAll },
    { method: 'POST', path, handle: create },
    { method: 'DELETE', path: `${path}/{command_id}`, handle: remove },
  ]),
];
