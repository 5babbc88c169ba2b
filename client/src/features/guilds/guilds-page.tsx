import { Button } from '@mantine/core';
import { IconBrandDiscord, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { GuildIcon } from '#client/components/guild-icon.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { StatusBadge } from '#client/components/status-badge.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { GuildDto } from '#shared/schemas/discord.ts';
import { DiscordId } from './discord-id.tsx';
import { DayDate, SeenDate } from './day-date.tsx';
import { guildCopy } from './guild-copy.ts';
import { HowToInstall } from './how-to-install.tsx';
import { MemberCount } from './member-count.tsx';
import { UpdatedAgo } from './updated-ago.tsx';
import classes from './guilds-page.module.css';

const COLUMNS: readonly Column<GuildDto>[] = [
  {
    id: 'name',
    header: 'Name',
    rowHeader: true,
    sortValue: ({ name }) => name,
    cell: (guild) => (
      <span className={classes.name}>
        <GuildIcon guild={guild} size={32} />
        {guild.name}
      </span>
    ),
  },
  {
    id: 'id',
    header: 'ID',
    cell: ({ id, name }) => <DiscordId id={id} name={name} />,
  },
  {
    id: 'status',
    header: 'Status',
    sortValue: ({ status }) => status,
    cell: ({ status }) => <StatusBadge kind="guild" value={status} />,
  },
  {
    id: 'members',
    header: 'Total members',
    align: 'end',
    sortValue: ({ memberCount }) => memberCount,
    cell: ({ memberCount }) => <MemberCount count={memberCount} />,
  },
  {
    id: 'registered',
    header: 'Registered',
    align: 'end',
    sortValue: ({ registeredMemberCount }) => registeredMemberCount,
    cell: ({ registeredMemberCount }) => <MemberCount count={registeredMemberCount} />,
  },
  {
    id: 'installed',
    header: 'Installed',
    sortValue: ({ installedAt }) => installedAt,
    cell: ({ installedAt }) => <DayDate iso={installedAt} />,
  },
  {
    id: 'seen',
    header: 'Last seen',
    sortValue: ({ lastSeenAt }) => lastSeenAt,
    cell: ({ lastSeenAt }) => <SeenDate iso={lastSeenAt} />,
  },
  {
    id: 'details',
    header: 'Details',
    hideHeader: true,
    cell: ({ id, name }) => (
      <LinkButton
        to="/admin/discord/guilds/$guildId"
        params={{ guildId: id }}
        variant="default"
        size="xs"
        className={classes.details}
        aria-label={`View Details of ${name}`}
      >
        View Details
      </LinkButton>
    ),
  },
];

/** /admin/discord/guilds: the Discord servers that installed the bot. */
export function GuildsPage() {
  const guilds = trpc.discord.guilds.useQuery(undefined, { staleTime: POLL_MS.inbox });
  const [isRefreshing, setRefreshing] = useState(false);
  const refresh = (): void => {
    setRefreshing(true);
    void guilds.refetch().finally(() => setRefreshing(false));
  };
  const isKnown = guilds.data !== undefined;
  return (
    <>
      <PageHeader
        title="Discord Guilds"
        lead={
          isKnown ? (
            <>
              {guilds.data.length} {guilds.data.length === 1 ? 'guild' : 'guilds'} ·{' '}
              <UpdatedAgo at={guilds.dataUpdatedAt} />
            </>
          ) : (
            'The Discord servers that installed the bot.'
          )
        }
        actions={
          <>
            <Button
              variant="default"
              disabled={isRefreshing || !isKnown}
              leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden="true" />}
              onClick={refresh}
            >
              {isRefreshing ? 'Refreshing...' : 'Refresh'}
            </Button>
            <LinkButton to="/admin" variant="default">
              Dashboard
            </LinkButton>
          </>
        }
      />
      <FormError
        message={
          isKnown && guilds.error !== null && !isRefreshing ? errorMessage(guilds.error, copy.unknownError) : null
        }
      />
      {isKnown && guilds.data.length > 0 ? (
        <Panel flush>
          <DataTable
            columns={COLUMNS}
            rows={guilds.data}
            rowKey={({ id }) => id}
            caption="Discord servers with the bot"
            initialSort={{ column: 'name', direction: 'asc' }}
            empty={null}
          />
        </Panel>
      ) : (
        <Panel>
          <Loaded query={guilds} loading={guildCopy.loadingGuilds} failure={copy.unknownError} rows={5}>
            {() => (
              <EmptyState
                icon={<IconBrandDiscord size={40} stroke={1.5} />}
                title={guildCopy.noGuilds}
                action={<HowToInstall />}
              >
                {guildCopy.noGuildsHint}
              </EmptyState>
            )}
          </Loaded>
        </Panel>
      )}
    </>
  );
}
