/** The commands that Discord's menu would offer, with their options: asked for as the bot would, when they have changed. */
import {
  type APIApplicationCommand,
  InteractionContextType,
  PermissionFlagsBits,
  RouteBases,
  Routes,
} from 'discord-api-types/v10';
import type { Emulator } from '#tests/discord/emulator/types.ts';

export type ReadCommands = () => Promise<readonly APIApplicationCommand[]>;

export function createCommandReader(emulator: Emulator): ReadCommands {
  let knownAs = '';
  let known: Promise<readonly APIApplicationCommand[]> = Promise.resolve([]);
  const version = new URL(RouteBases.api).pathname.split('/').at(-1);
  return () => {
    const now = JSON.stringify([emulator.commands(), emulator.connections()]);
    if (now !== knownAs) {
      knownAs = now;
      known = fetch(`${emulator.apiUrl}/${version}${Routes.applicationCommands(emulator.applicationId)}`, {
        headers: {
          authorization: `Bot ${emulator.token}`,
          'user-agent': 'DiscordBot (https://discord.com, 1.0.0)',
        },
      }).then(async (response) => (response.ok ? ((await response.json()) as APIApplicationCommand[]) : []));
      // a fault planted for another request: the next poll tries again
      known.catch(() => (knownAs = ''));
    }
    return known.catch(() => []);
  };
}

/** The commands for this member in a server (`inGuild`) or in direct messages with the bot. */
export function offeredTo(
  commands: readonly APIApplicationCommand[],
  { inGuild, isModerator }: { inGuild: boolean; isModerator: boolean },
): readonly APIApplicationCommand[] {
  const held = isModerator ? PermissionFlagsBits.ManageGuild | PermissionFlagsBits.ModerateMembers : 0n;
  const context = inGuild ? InteractionContextType.Guild : InteractionContextType.BotDM;
  return commands.filter(({ contexts, default_member_permissions: needs }) => {
    const needed = inGuild ? BigInt(needs ?? 0) : 0n;
    return (contexts?.includes(context) ?? true) && (held & needed) === needed;
  });
}
