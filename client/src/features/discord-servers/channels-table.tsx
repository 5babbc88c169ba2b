import { IconCheck, IconHash, IconX } from '@tabler/icons-react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import type { GuildDetailDto } from '#shared/schemas/discord.ts';
import { DayDate } from './day-date.tsx';
import { guildCopy } from './guild-text.ts';
import { CHANNEL_LOOKS } from './guild-counts-text.ts';
import classes from './channels-table.module.css';

type Channel = GuildDetailDto['channels'][number];

/** Yes or no as shape, colour and word. */
function YesNo({ value }: { value: boolean }) {
  const Icon = value ? IconCheck : IconX;
  return (
    <span className={classes.answer} data-yes={value || undefined}>
      <Icon size={16} aria-hidden="true" />
      {value ? 'Yes' : 'No'}
    </span>
  );
}

const columnsOf = (defaultChannelId: string | null): readonly Column<Channel>[] => [
  {
    id: 'name',
    phone: { line: 1 },
    header: 'Name',
    rowHeader: true,
    sortValue: ({ name }) => name,
    cell: ({ id, name, type, isNsfw }) => {
      const Icon = CHANNEL_LOOKS[type].icon;
      return (
        <span className={classes.name}>
          <Icon size={18} aria-hidden="true" />
          <span className={classes.text}>{name}</span>
          {isNsfw && <Badge signal="red">NSFW</Badge>}
          {id === defaultChannelId && <Badge signal="cyan">Default</Badge>}
        </span>
      );
    },
  },
  { id: 'topic', header: 'Topic', cell: ({ topic }) => <span className={classes.topic}>{topic ?? '—'}</span> },
  {
    id: 'type',
    phone: { line: 1 },
    header: 'Type',
    sortValue: ({ type }) => CHANNEL_LOOKS[type].word,
    cell: ({ type }) => CHANNEL_LOOKS[type].word,
  },
  {
    id: 'send',
    phone: { line: 2, before: 'Send' },
    header: 'Send messages',
    sortValue: ({ canSendMessages }) => Number(!canSendMessages),
    cell: ({ canSendMessages }) => <YesNo value={canSendMessages} />,
  },
  {
    id: 'embed',
    phone: { line: 2, before: 'Embed' },
    header: 'Embed links',
    sortValue: ({ canEmbedLinks }) => Number(!canEmbedLinks),
    cell: ({ canEmbedLinks }) => <YesNo value={canEmbedLinks} />,
  },
  {
    id: 'postable',
    phone: { line: 2, before: 'Post' },
    header: 'Postable',
    sortValue: ({ isPostable }) => Number(!isPostable),
    cell: ({ isPostable }) => <YesNo value={isPostable} />,
  },
  {
    id: 'updated',
    header: 'Last updated',
    sortValue: ({ lastUpdated }) => lastUpdated,
    cell: ({ lastUpdated }) => <DayDate iso={lastUpdated} />,
  },
];

interface ChannelsTableProps {
  /** in Discord's order */
  channels: readonly Channel[];
  defaultChannelId: string | null;
}

/** Table of a server's channels with the bot's permissions. */
export function ChannelsTable({ channels, defaultChannelId }: ChannelsTableProps) {
  return (
    <DataTable
      columns={columnsOf(defaultChannelId)}
      rows={channels}
      rowKey={({ id }) => id}
      caption="Channels"
      empty={<EmptyState icon={<IconHash size={40} />} title={guildCopy.noChannels} />}
    />
  );
}
