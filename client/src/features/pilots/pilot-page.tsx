import { Button } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { LeaveDialog } from '#client/domain-ui/leave/leave-dialog.tsx';
import { leaveBadge } from '#client/domain-ui/leave/leave-text.ts';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { formatTime } from '#shared/clock.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import { ANY_AIRCRAFT_ID, POLL_MS, UPCOMING_DAYS } from '#shared/limits.ts';
import type { AvailabilitySummaryDto } from '#shared/schemas/admin-pilot.ts';
import type { LeaveDto } from '#shared/schemas/leave.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import { AssignmentsPanel } from './assignments-panel.tsx';
import { LevelsPanel } from './levels-panel.tsx';
import { pilotCopy } from './pilot-text.ts';
import classes from './pilot-page.module.css';
import { SchedulePanel } from './schedule-panel.tsx';
import { Sections } from './sections.tsx';
import { TrackRecordPanel } from './track-record-panel.tsx';
import { WindowsPanel } from './windows-panel.tsx';

const ROUTE = '/_signed-in/admin/users/$userId/availability';

/** /admin/users/{userId}/availability: one pilot's availability, aircraft, reliability and assignments. */
export function PilotPage() {
  const { userId } = useParams({ from: ROUTE });
  const { days = UPCOMING_DAYS.initial } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/admin/users/$userId/availability' });
  const { timeZone } = useSignedInViewer();
  const summary = trpc.admin.pilot.availabilitySummary.useQuery(
    { id: userId, upcomingDays: days, tz: timeZone },
    {
      staleTime: POLL_MS.inbox,
      // another number of days changes only one table, so keep showing the rest
      placeholderData: (previous) => (previous?.user.id === userId ? previous : undefined),
    },
  );
  const user = summary.data?.user;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Link to="/admin/users" className={classes.back}>
        ← Users
      </Link>
      <PageHeader
        title={user ? nameOf(user) : 'User Availability'}
        documentTitle={user ? `Availability of ${nameOf(user)}` : 'User Availability'}
        lead={
          user ? <Lead user={user} leave={summary.data?.leave ?? null} /> : summary.error ? undefined : <LeadPlace />
        }
        actions={
          summary.data === undefined && summary.error !== null ? undefined : (
            <>
              {(!user || user.roles.includes('user')) && (
                <Button variant="default" disabled={!user} onClick={() => setAsking(true)}>
                  Leave…
                </Button>
              )}
              <LinkButton variant="default" to="/admin/audit" search={{ subject: userId }}>
                History
              </LinkButton>
              <Segmented
                label="Upcoming days"
                hideLabel
                segments={UPCOMING_DAYS.choices.map((value) => ({ value, label: `${value} days` }))}
                value={days}
                onChange={(next) =>
                  void navigate({ search: (search) => ({ ...search, days: next }), resetScroll: false })
                }
              />
            </>
          )
        }
      />
      {summary.data === undefined ? (
        <Panel>
          <Loaded
            query={summary}
            loading={pilotCopy.loading}
            failure={copy.userNotFound}
            prefix={pilotCopy.loadFailed}
            rows={6}
          >
            {() => null}
          </Loaded>
        </Panel>
      ) : (
        <Parts summary={summary.data} days={days} />
      )}
      {isAsking && summary.data !== undefined && (
        <LeaveDialog
          pilot={summary.data.user}
          name={nameOf(summary.data.user)}
          leave={summary.data.leave}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function Parts({ summary, days }: { summary: AvailabilitySummaryDto; days: number }) {
  const { user, timeZone } = summary;
  const { tab } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/admin/users/$userId/availability' });
  const schedule = trpc.admin.pilot.schedule.useQuery({ id: user.id, tz: user.timeZone }, { staleTime: POLL_MS.inbox });
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: false }).data ?? [];
  const aircraftName = (aircraftId: number): string =>
    aircraftId === ANY_AIRCRAFT_ID
      ? screenCopy.anyAircraft
      : (aircraft.find(({ id }) => id === aircraftId)?.name ?? `Aircraft ${aircraftId}`);
  return (
    <Sections
      tab={tab}
      onTab={(next) =>
        void navigate({ search: (search) => ({ ...search, tab: next }), replace: true, resetScroll: false })
      }
      sections={[
        {
          id: 'weekly',
          label: 'Weekly',
          count: schedule.data?.schedule.length,
          content: <SchedulePanel schedule={schedule} aircraftName={aircraftName} />,
        },
        {
          id: 'levels',
          label: 'Aircraft',
          count: summary.aircraftProficiencies.length,
          content: (
            <LevelsPanel
              pilotId={user.id}
              levels={summary.aircraftProficiencies}
              catalogue={aircraft.filter(({ active }) => active)}
            />
          ),
        },
        {
          id: 'standing',
          label: 'Reliability',
          count: undefined,
          content: <TrackRecordPanel pilotId={user.id} />,
        },
        {
          id: 'upcoming',
          label: 'Upcoming',
          count: summary.upcomingMissions.length,
          content: (
            <AssignmentsPanel
              title="Upcoming assignments"
              missions={summary.upcomingMissions}
              timeZone={timeZone}
              empty={pilotCopy.noUpcoming}
            />
          ),
        },
        {
          id: 'windows',
          label: 'Windows',
          count: summary.availabilityWindows.length,
          content: (
            <WindowsPanel
              windows={summary.availabilityWindows}
              busyTimes={summary.busyTimes}
              timeZone={timeZone}
              days={days}
              aircraftName={aircraftName}
            />
          ),
        },
        {
          id: 'previous',
          label: 'Previous',
          count: summary.previousMissions.length,
          content: (
            <AssignmentsPanel
              title="Previous assignments"
              missions={summary.previousMissions}
              timeZone={timeZone}
              empty={pilotCopy.noPrevious}
            />
          ),
        },
      ]}
    />
  );
}

function nameOf({ displayName, email }: UserDto): string {
  return displayName ?? (email || 'Pilot');
}

/** `m@example.org · Europe/Berlin, now 1205Z 1305L`, and the roles. */
/** Keeps the place of a usual lead while it loads, so that nothing below moves. */
function LeadPlace() {
  return (
    <span className={`${classes.lead} ${classes.place}`} aria-hidden="true">
      <span>somebody@example.org</span>
      <span>Europe/Berlin, now 00:00</span>
      <Badge signal="gray">user</Badge>
    </span>
  );
}

function Lead({ user, leave }: { user: UserDto; leave: LeaveDto | null }) {
  const now = useNow();
  return (
    <span className={classes.lead}>
      <span>{user.email || 'no email'}</span>
      <span>
        {user.timeZone}, now <span className={classes.clock}>{formatTime(now, user.timeZone)}</span>
      </span>
      {user.roles.map((role) => (
        <Badge key={role} signal={role === 'admin' ? 'cyan' : 'gray'}>
          {role}
        </Badge>
      ))}
      {!user.roles.includes('user') && <Badge signal="red">suspended</Badge>}
      {leave !== null && <Badge signal="cyan">{leaveBadge(leave)}</Badge>}
    </span>
  );
}
