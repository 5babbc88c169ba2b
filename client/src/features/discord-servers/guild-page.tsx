import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { Fact, Facts } from '#client/components/fact.tsx';
import { FormNote } from '#client/components/form-error.tsx';
import { GuildIcon } from '#client/domain-ui/guild-icon.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { ErrorState, LoadingState } from '#client/components/query-states.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { TabBar } from '#client/domain-ui/tab-bar.tsx';
import { errorStatus } from '#client/lib/errors.ts';
import { failureOf } from '#client/lib/failure.ts';
import type { WayOn } from '#shared/ways-on.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useBot } from '#client/lib/use-bot.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { BotStatusDto, GuildDetailDto } from '#shared/schemas/discord.ts';
import { AcceptancePanel, LeavePanel } from './acceptance-panel.tsx';
import { ChannelsTable } from './channels-table.tsx';
import { DiscordId } from './discord-id.tsx';
import { DayDate, SeenDate } from './day-date.tsx';
import { EventsTable } from './events-table.tsx';
import { fetchFailure, guildCopy, shownStatus, STATUS_NOTES } from './guild-text.ts';
import { GuildNotices } from './guild-notices.tsx';
import { GuildTiles } from './guild-tiles.tsx';
import { useGuildView, type GuildTab } from './guild-search.ts';
import { MissionsPanel } from './missions-panel.tsx';
import { ResendPanel } from './resend-panel.tsx';
import { Roster } from './roster.tsx';
import classes from './guild-page.module.css';

/** /admin/discord/guilds/{guildId}: one Discord server as the bot last saw it. */
export function GuildPage() {
  const { guildId } = useGuildView();
  const guild = trpc.discord.guild.useQuery({ guildId }, { staleTime: POLL_MS.inbox });
  const bot = useBot();
  const { data } = guild;
  return (
    <>
      <Link to="/admin/discord/guilds" className={classes.back}>
        ← Guilds
      </Link>
      {/* The same heading element before and after loading, because it holds the focus after a navigation. */}
      <div className={classes.head}>
        {data && <GuildIcon guild={data} size={56} />}
        <div className={classes.title}>
          <PageHeader
            title={data?.name ?? 'Discord Guild'}
            documentTitle={data ? `${data.name} · Discord Guild` : 'Discord Guild'}
            lead={
              data ? (
                <span className={classes.lead}>
                  <DiscordId id={data.id} name={data.name} />
                  <StatusBadge kind="guild" value={shownStatus(data)} />
                </span>
              ) : (
                <>&nbsp;</>
              )
            }
          />
        </div>
      </div>
      <GuildNotices bot={bot} where="in this server" hasData />
      {data === undefined ? (
        <Panel>
          {guild.error === null || guild.isFetching ? (
            <LoadingState text={guildCopy.loadingGuild} rows={8} />
          ) : (
            <ErrorState {...loadFailure(guild.error)} onRetry={() => void guild.refetch()} />
          )}
        </Panel>
      ) : (
        <GuildView guild={data} bot={bot} />
      )}
    </>
  );
}

/** The specification's sentence, with the server's as detail where that adds something. */
function loadFailure(error: unknown): { message: string; detail?: string; way: WayOn | null } {
  const status = errorStatus(error);
  const { sentence, way } = failureOf(error, copy.unknownError);
  if (status === undefined) {
    return { message: sentence, way };
  }
  return status === 404
    ? { message: copy.guildNotFound, way }
    : { message: fetchFailure(status), detail: sentence, way };
}

function GuildView({ guild, bot }: { guild: GuildDetailDto; bot: BotStatusDto | undefined }) {
  const { view, setView } = useGuildView();
  const note = STATUS_NOTES[guild.status];
  const isMembersHidden = bot?.hasMembersIntent === false;
  const isOff = bot?.isConfigured === false;
  const isPending = guild.acceptedAt === null;
  const tab = (value: GuildTab, label: ReactNode, panel: () => ReactNode) => ({ value, label, panel });
  return (
    <>
      {note !== undefined && <FormNote>{note}</FormNote>}
      <AcceptancePanel key={guild.id} guild={guild} isOff={isOff} />
      <GuildTiles guild={guild} isMembersHidden={isMembersHidden || isPending} isOff={isOff} />
      <div className={classes.facts}>
        <Facts>
          <Fact label="Installed">
            <DayDate iso={guild.installedAt} />
          </Fact>
          <Fact label="Last seen">
            <SeenDate iso={guild.lastSeenAt} />
          </Fact>
          <Fact label="Default channel">
            <DefaultChannel guild={guild} />
          </Fact>
        </Facts>
      </div>
      <div className={classes.announcement}>
        <ResendPanel key={guild.id} guild={guild} isOff={isOff} />
      </div>
      {!isPending && (
        <div className={classes.announcement}>
          <MissionsPanel key={guild.id} guild={guild} isOff={isOff} />
        </div>
      )}
      <TabBar
        label="Parts of this server"
        value={view.tab}
        onChange={(value) => setView({ tab: value })}
        tabs={[
          tab('members', <Counted label="Member Roster" count={guild.members.length} />, () => (
            <Roster members={guild.members} why={whyNoMembers({ isOff, isPending, isMembersHidden })} />
          )),
          tab('channels', <Counted label="Channels" count={guild.channels.length} />, () => (
            <ChannelsTable channels={guild.channels} defaultChannelId={guild.defaultSplashChannelId} />
          )),
          tab('events', <Counted label="Recent Events" count={guild.recentEvents.length} />, () => (
            <EventsTable events={guild.recentEvents} />
          )),
        ]}
      />
      {!isPending && !isOff && guild.status !== 'disabled' && <LeavePanel key={guild.id} guildId={guild.id} />}
    </>
  );
}

type Causes = Record<'isOff' | 'isPending' | 'isMembersHidden', boolean>;

/** Why no members are known. Without a bot, neither accepting the server nor an intent would change that. */
function whyNoMembers({ isOff, isPending, isMembersHidden }: Causes): ComponentProps<typeof Roster>['why'] {
  if (isOff) return 'off';
  if (isPending) return 'pending';
  return isMembersHidden ? 'hidden' : 'unknown';
}

function Counted({ label, count }: { label: string; count: number }) {
  return (
    <>
      {label} <span className={classes.count}>{count}</span>
    </>
  );
}

/** Default channel: `#mission-briefs`, or the id of a deleted channel. */
function DefaultChannel({ guild: { channels, defaultSplashChannelId } }: { guild: GuildDetailDto }) {
  if (defaultSplashChannelId === null) {
    return 'none';
  }
  const channel = channels.find(({ id }) => id === defaultSplashChannelId);
  return channel === undefined ? (
    <span className={classes.id}>{defaultSplashChannelId}</span>
  ) : (
    <>
      #{channel.name}
      {!channel.isPostable && ' (not postable)'}
    </>
  );
}
