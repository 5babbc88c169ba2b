/** Guilds, their members, roles and channels, as the bot reads them. */
import { refusals } from '#tests/discord/emulator/errors.ts';
import { compareIds } from '#tests/discord/emulator/ids.ts';
import { isThread } from '#tests/discord/emulator/permissions.ts';
import { channelShape, guildShape, memberShape, roleShape, userShape } from '#tests/discord/emulator/shapes.ts';
import type { Guild, World } from '#tests/discord/emulator/state.ts';
import type { Call, Route } from './route.ts';

/** A guild that the bot is in. @throws DiscordError 10004 */
export function ownGuild(world: World, { params }: Call): Guild {
  const guild = world.guilds.get(params['guild_id'] ?? '');
  if (guild === undefined || !guild.isInstalled) throw refusals.unknownGuild();
  return guild;
}

export const guildRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/guilds/{guild_id}',
    handle: (world, call) => {
      const guild = ownGuild(world, call);
      const counts = { approximate_member_count: guild.members.size, approximate_presence_count: guild.members.size };
      return { body: { ...guildShape(guild, world), ...(call.query.get('with_counts') === 'true' ? counts : {}) } };
    },
  },
  {
    method: 'GET',
    path: '/guilds/{guild_id}/roles',
    handle: (world, call) => ({
      body: [...ownGuild(world, call).roles.values()].map((role) => roleShape(role, world)),
    }),
  },
  {
    method: 'GET',
    path: '/guilds/{guild_id}/channels',
    handle: (world, call) => ({
      body: [...ownGuild(world, call).channels.values()]
        .filter((channel) => !isThread(channel))
        .map((channel) => channelShape(channel)),
    }),
  },
  {
    method: 'GET',
    path: '/guilds/{guild_id}/members/{user_id}',
    handle: (world, call) => {
      const guild = ownGuild(world, call);
      const { user_id: userId = '' } = call.params;
      if (!world.people.has(userId)) throw refusals.unknownUser();
      const member = guild.members.get(userId);
      if (member === undefined) throw refusals.unknownMember();
      return { body: memberShape(member) };
    },
  },
  {
    method: 'GET',
    path: '/guilds/{guild_id}/members',
    handle: (world, call) => {
      const guild = ownGuild(world, call);
      if (world.isMembersIntentRefused) throw refusals.missingAccess();
      const after = call.query.get('after') ?? '0';
      const members = [...guild.members.values()]
        .filter(({ person }) => compareIds(person.id, after) > 0)
        .sort((a, b) => compareIds(a.person.id, b.person.id));
      return { body: members.slice(0, Number(call.query.get('limit') ?? 1)).map(memberShape) };
    },
  },
  {
    method: 'GET',
    path: '/users/{user_id}',
    handle: (world, { params }) => {
      const person = world.people.get(params['user_id'] ?? '');
      if (person === undefined) throw refusals.unknownUser();
      return { body: userShape(person) };
    },
  },
];
