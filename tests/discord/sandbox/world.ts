/** The servers and users of a sandbox and its switches, applied to the emulator and remembered. */
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { planSampleGuilds, type SampleGuildPlan } from '#server/cli/sample/sample-guilds.ts';
import { SAMPLE_PILOTS } from '#server/cli/sample/sample-pilots.ts';
import type { Emulator, OverwriteSpec } from '#tests/discord/emulator/types.ts';
import type { ChannelType } from '#shared/vocabulary.ts';

/** Discord's numbers for kinds of channels. */
const CHANNEL_NUMBERS: Record<ChannelType, number> = { text: 0, announcement: 5, forum: 15, thread: 11, other: 2 };

export interface WorldPerson {
  id: string;
  username: string;
  /** as shown in Discord */
  name: string;
  /** had an account in Marshal when the sandbox began */
  isPilot: boolean;
}

export interface WorldChannel {
  id: string;
  name: string;
  topic: string | null;
  /** messages are shown there */
  isText: boolean;
  isNsfw: boolean;
}

export interface WorldGuild {
  id: string;
  name: string;
  isInstalled: boolean;
  isOut: boolean;
  channels: readonly WorldChannel[];
  memberIds: readonly string[];
  moderatorIds: readonly string[];
}

export interface World {
  people: ReadonlyMap<string, WorldPerson>;
  guilds: readonly WorldGuild[];
}

/** Put the servers of the sample community into an emulator: same ids, names and rights. */
export function addSampleWorld(emulator: Emulator): World {
  const callSigns = new Map(SAMPLE_PILOTS.map(({ mailbox, callSign }) => [mailbox, callSign]));
  const people = new Map<string, WorldPerson>();
  const guilds = planSampleGuilds().map((plan): WorldGuild => {
    const members = plan.members.filter(({ hasLeft }) => !hasLeft);
    for (const { id, name, isLinked } of members) {
      people.set(id, { id, username: name, name: callSigns.get(name) ?? name, isPilot: isLinked });
    }
    addGuild(emulator, plan, people);
    return {
      id: plan.id,
      name: plan.name,
      isInstalled: plan.status !== 'disabled',
      isOut: false,
      channels: plan.channels.map(({ id, name, topic, type, isNsfw }) => ({
        id,
        name,
        topic,
        isText: type === 'text' || type === 'announcement' || type === 'thread',
        isNsfw,
      })),
      memberIds: members.map(({ id }) => id),
      moderatorIds: members.filter(({ isModerator }) => isModerator).map(({ id }) => id),
    };
  });
  return { people, guilds };
}

/** The outages of the sample. Apart from the rest, because a bot that starts waits for servers in an outage. */
export function beginSampleOutages(emulator: Emulator, world: World): void {
  for (const { id, status } of planSampleGuilds()) {
    const guild = world.guilds.find((one) => one.id === id);
    if (status !== 'unavailable' || !guild) continue;
    emulator.setOutage(id, true);
    guild.isOut = true;
  }
}

function addGuild(emulator: Emulator, plan: SampleGuildPlan, people: ReadonlyMap<string, WorldPerson>): void {
  const [firstText] = plan.channels;
  const moderators = `${BigInt(plan.id) + 1_000_000n}`;
  emulator.addGuild({
    id: plan.id,
    name: plan.name,
    isInstalled: plan.status !== 'disabled',
    roles: [
      {
        id: moderators,
        name: 'Moderators',
        permissions: PermissionFlagsBits.ManageGuild | PermissionFlagsBits.ModerateMembers,
      },
    ],
    channels: plan.channels.map((channel, position) => ({
      id: channel.id,
      name: channel.name,
      type: CHANNEL_NUMBERS[channel.type],
      topic: channel.topic,
      position,
      nsfw: channel.isNsfw,
      parentId: channel.type === 'thread' ? (firstText?.id ?? null) : null,
      overwrites: channel.type === 'thread' ? [] : overwrites(plan.id, channel),
    })),
    members: plan.members
      .filter(({ hasLeft }) => !hasLeft)
      .map(({ id, name, isModerator }) => ({
        id,
        username: name,
        globalName: people.get(id)?.name ?? null,
        roles: isModerator ? [moderators] : [],
      })),
  });
}

/** Denies everyone the permissions that the bot lacks there in the sample. */
function overwrites(
  guildId: string,
  { canSendMessages, canEmbedLinks }: { canSendMessages: boolean; canEmbedLinks: boolean },
): OverwriteSpec[] {
  const deny =
    (canSendMessages ? 0n : PermissionFlagsBits.SendMessages) | (canEmbedLinks ? 0n : PermissionFlagsBits.EmbedLinks);
  // the bot's own role allows nothing in a channel, so that a denial for everyone reaches it
  return deny === 0n ? [] : [{ id: guildId, type: 0, deny }];
}
