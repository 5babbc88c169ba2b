import { Button } from '@mantine/core';
import { IconBrandDiscord, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { GuildIcon } from '#client/domain-ui/guild-icon.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Mark } from '#client/components/marks.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { failureOf } from '#client/lib/failure.ts';
import { formatDuration } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useBot } from '#client/lib/use-bot.ts';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { GuildDto } from '#shared/schemas/discord.ts';
import { count } from '#shared/plural.ts';
import { DiscordId } from './discord-id.tsx';
import { DayDate, SeenDate } from './day-date.tsx';
import { guildCopy, shownStatus } from './guild-text.ts';
import { GuildNotices } from './guild-notices.tsx';
import { HowToInstall } from './how-to-install.tsx';
import { InstallLink } from './install-link.tsx';
import { MemberCount } from './member-count.tsx';
import classes from './guilds-page.module.css';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** @param isMembersHidden the members intent is off, so a count of 0 means unknown */
const columnsOf = (isMembersHidden: boolean): readonly Column<GuildDto>[] => [
  {
    id: 'name',
    phone: { line: 1 },
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
    phone: { line: 2 },
    header: 'Status',
    sortValue: shownStatus,
    cell: (guild) => <StatusBadge kind="guild" value={shownStatus(guild)} />,
  },
  {
    id: 'members',
    phone: { line: 2, after: 'members' },
    header: 'Total members',
    align: 'end',
    sortValue: ({ memberCount }) => memberCount,
    cell: ({ memberCount }) => <MemberCount count={memberCount} />,
  },
  {
    id: 'registered',
    phone: { line: 2, after: 'registered' },
    header: 'Registered',
    align: 'end',
    sortValue: ({ registeredMemberCount }) => registeredMemberCount,
    cell: ({ registeredMemberCount }) => (
      <MemberCount count={isMembersHidden && registeredMemberCount === 0 ? null : registeredMemberCount} />
    ),
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
    phone: { line: 1 },
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
  const bot = useBot();
  // a bot that does not run would join the server and never answer there
  const installUrl = bot?.isConfigured === true ? bot.installUrl : null;
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
            <span className={classes.lead}>
              <span>
                {count(guilds.data.length, 'guild')} · <UpdatedAgo at={guilds.dataUpdatedAt} />
              </span>
              {bot?.state === 'online' && (
                <span className={classes.online}>
                  <Mark shape="circle" filled size={12} />
                  {bot.botName ?? 'Bot'} is online
                </span>
              )}
            </span>
          ) : (
            'The Discord servers that installed the bot.'
          )
        }
        actions={
          <>
            {installUrl !== null && isKnown && guilds.data.length > 0 && (
              <InstallLink url={installUrl} variant="default" />
            )}
            <Button
              variant="default"
              disabled={isRefreshing || !isKnown}
              leftSection={<IconRefresh size={18} aria-hidden="true" />}
              onClick={refresh}
            >
              {isRefreshing ? 'Refreshing...' : 'Refresh'}
            </Button>
            <LinkButton to="/admin" variant="default">
              Board
            </LinkButton>
          </>
        }
      />
      <GuildNotices bot={bot} where="in these servers" hasData={guilds.data?.length !== 0} />
      <FormError
        message={isKnown && guilds.error !== null && !isRefreshing ? failureOf(guilds.error, copy.unknownError) : null}
      />
      {isKnown && guilds.data.length > 0 ? (
        // Another box than the loading one: the notices above push it while it is replaced.
        <Panel key="servers" flush>
          <DataTable
            columns={columnsOf(bot?.hasMembersIntent === false)}
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
                icon={<IconBrandDiscord size={40} />}
                title={guildCopy.noGuilds}
                action={
                  <>
                    {installUrl !== null && <InstallLink url={installUrl} />}
                    <HowToInstall isReady={installUrl !== null} />
                  </>
                }
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

/** `updated 12 s ago`. @param at epoch milliseconds */
function UpdatedAgo({ at }: { at: number }) {
  const age = Math.max(0, useNow(SECOND_MS).getTime() - at);
  return <>updated {age < MINUTE_MS ? `${Math.floor(age / SECOND_MS)} s` : formatDuration(age)} ago</>;
}
