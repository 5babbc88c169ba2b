/** State of the sandbox page, as one person sees it. */
import type { APIApplicationCommand, APIEmbed, APIMessageTopLevelComponent } from 'discord-api-types/v10';
import { offeredTo } from './commands.ts';
import type { Emulator, StoredMessage, StoredScheduledEvent } from '#tests/discord/emulator/types.ts';
import type { World, WorldGuild, WorldPerson } from './world.ts';

/** Milliseconds from 1970 to the first moment that a snowflake can carry. */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

export interface ShownMessage {
  id: string;
  author: { id: string; name: string; isBot: boolean };
  atMs: number;
  content: string;
  embeds: readonly APIEmbed[];
  components: readonly APIMessageTopLevelComponent[];
  /** only this person sees it */
  isEphemeral: boolean;
  isEdited: boolean;
}

export interface ShownGuild extends WorldGuild {
  events: readonly StoredScheduledEvent[];
}

/** Everything on the page. `messages` are those of the place that was asked for. */
export interface SandboxState {
  siteUrl: string;
  people: readonly WorldPerson[];
  guilds: readonly ShownGuild[];
  bot: { id: string; name: string };
  messages: readonly ShownMessage[];
  /** how many direct messages this person has */
  directCount: number;
  commands: readonly APIApplicationCommand[];
  connections: number;
  violations: readonly string[];
  isDmClosed: boolean;
  isIntentRefused: boolean;
}

/** State of the sandbox beyond the emulator's. */
export interface Switches {
  closedDms: Set<string>;
  isIntentRefused: boolean;
}

/** @param place a channel's id, or `dm` */
export function readState(
  { emulator, world, switches, siteUrl }: { emulator: Emulator; world: World; switches: Switches; siteUrl: string },
  commands: readonly APIApplicationCommand[],
  personId: string,
  place: string,
): SandboxState {
  const direct = emulator.directMessages(personId);
  const guild = world.guilds.find(({ channels }) => channels.some(({ id }) => id === place));
  const messages = place === 'dm' ? direct : guild ? emulator.messages(place) : [];
  return {
    siteUrl,
    people: [...world.people.values()],
    guilds: world.guilds.map((one) => ({ ...one, events: emulator.scheduledEvents(one.id) })),
    bot: { id: emulator.botUserId, name: 'Marshal' },
    messages: messages
      .filter(({ ephemeralFor }) => ephemeralFor === null || ephemeralFor === personId)
      .map((message) => showMessage(message, emulator, world)),
    directCount: direct.length,
    commands:
      guild && !guild.isInstalled
        ? []
        : offeredTo(commands, {
            inGuild: guild !== undefined,
            isModerator: guild?.moderatorIds.includes(personId) === true,
          }),
    connections: emulator.connections(),
    violations: emulator.violations,
    isDmClosed: switches.closedDms.has(personId),
    isIntentRefused: switches.isIntentRefused,
  };
}

function showMessage(message: StoredMessage, emulator: Emulator, world: World): ShownMessage {
  const isBot = message.authorId === emulator.botUserId;
  return {
    id: message.id,
    author: {
      id: message.authorId,
      name: isBot ? 'Marshal' : (world.people.get(message.authorId)?.name ?? 'Somebody'),
      isBot,
    },
    atMs: Number((BigInt(message.id) >> 22n) + DISCORD_EPOCH_MS),
    content: message.content,
    embeds: message.embeds,
    components: message.components,
    isEphemeral: message.ephemeralFor !== null,
    isEdited: message.editedAt !== null,
  };
}
