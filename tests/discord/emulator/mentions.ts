/**
 * Who a text notifies: limited by `allowed_mentions`, by the author's permissions, and by what the text names.
 * https://docs.discord.com/developers/resources/message#allowed-mentions-object
 */
import { PermissionFlagsBits as Bits, type APIAllowedMentions } from 'discord-api-types/v10';
import { botPermissions } from './permissions.ts';
import type { Channel, Message, World } from './state.ts';

type Kind = 'users' | 'roles' | 'everyone';
type Mentions = Pick<Message, 'mentions' | 'mentionedRoles' | 'mentionsEveryone'>;

interface Text {
  content: string;
  allowed: APIAllowedMentions | null | undefined;
  /** "In interactions and webhooks, only user mentions are parsed" */
  isInteraction: boolean;
  replyTo: Message | null;
}

/** Ids that a text names, each once. */
const named = (content: string, pattern: RegExp): string[] => [
  ...new Set([...content.matchAll(pattern)].map(([, id = '']) => id)),
];

export function readMentions(
  world: World,
  channel: Channel,
  { content, allowed, isInteraction, replyTo }: Text,
): Mentions {
  const byDefault: readonly string[] = isInteraction ? ['users'] : ['users', 'roles', 'everyone'];
  const parsed: readonly string[] = allowed?.parse ?? [];
  const isParsed = (kind: Kind) => (allowed === undefined || allowed === null ? byDefault : parsed).includes(kind);
  const guild = world.guilds.get(channel.guildId ?? '');
  const mayMentionAll = ((botPermissions(world, channel) ?? 0n) & Bits.MentionEveryone) !== 0n;
  const people = named(content, /<@!?(\d+)>/g).filter(
    (id) => world.people.has(id) && (isParsed('users') || !!allowed?.users?.includes(id)),
  );
  // "For replies, whether to mention the author of the message being replied to"
  const isAuthorTold = replyTo !== null && (allowed?.replied_user ?? !allowed) && replyTo.author !== world.bot;
  return {
    mentions: [...new Set([...people, ...(isAuthorTold ? [replyTo.author.id] : [])])],
    mentionedRoles: named(content, /<@&(\d+)>/g).filter((id) => {
      const role = guild?.roles.get(id);
      const isNamed = isParsed('roles') || !!allowed?.roles?.includes(id);
      return role !== undefined && isNamed && (role.isMentionable || mayMentionAll);
    }),
    mentionsEveryone: guild !== undefined && isParsed('everyone') && mayMentionAll && /@(everyone|here)/.test(content),
  };
}
