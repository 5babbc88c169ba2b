import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { EveningStrip, type StripLane } from '#client/domain-ui/evening-strip.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { localDate } from '#shared/clock.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { boardCopy } from './board-text.ts';
import { eveningInput } from './evening-input.ts';
import { BOARD_REFRESH_MS } from './refresh.ts';

const AHEAD_MS = 24 * 3_600_000;

interface EveningPanelProps {
  now: Date;
  today: string;
  timeZone: string;
  className?: string;
}

/**
 * The missions that are under way or start within 24 hours, on one axis. Without any, and when the call fails, there is no
 * panel: the missions of the day, below, say so.
 */
export const EveningPanel = memo(function EveningPanel({ now, today, timeZone, className }: EveningPanelProps) {
  const { id } = useSignedInViewer();
  const missions = trpc.admin.missions.useQuery(eveningInput(today, timeZone), {
    refetchInterval: BOARD_REFRESH_MS,
    staleTime: BOARD_REFRESH_MS,
  });
  if (missions.isPending) return <div hidden data-unsettled />;
  const lanes = eveningLanes(missions.data ?? [], { now, timeZone, userId: id });
  if (lanes.length === 0) return null;
  return (
    <Panel title={boardCopy.evening} className={className}>
      <EveningStrip label={boardCopy.evening} lanes={lanes} withDates />
    </Panel>
  );
});

interface Reader {
  now: Date;
  timeZone: string;
  userId: string;
}

/** A lane for each mission by start; a mission launches with its first flight, and has the time on target of its first. */
function eveningLanes(missions: readonly MissionDto[], { now, timeZone, userId }: Reader): StripLane[] {
  const nowMs = now.getTime();
  return missions
    .filter(
      ({ status, startUtc, endUtc }) =>
        status !== 'cancelled' && Date.parse(endUtc) > nowMs && Date.parse(startUtc) - nowMs < AHEAD_MS,
    )
    .toSorted((one, other) => Date.parse(one.startUtc) - Date.parse(other.startUtc))
    .map(({ id, name, status, startUtc, endUtc, packages }) => {
      const flights = packages.flatMap((pack) => pack.flights);
      return {
        id,
        name: (
          <>
            <Link to="/admin/missions/$date" params={{ date: localDate(startUtc, timeZone) }} search={{ mission: id }}>
              {name}
            </Link>{' '}
            {status === 'draft' && <StatusBadge kind="mission" value={status} />}
          </>
        ),
        isOwn: flights.some(({ assignments }) => assignments.some((seat) => seat.userId === userId)),
        startUtc,
        launchUtc: earliest(flights.map(({ launchUtc }) => launchUtc)),
        totUtc: earliest(flights.map(({ totUtc }) => totUtc)),
        endUtc,
      };
    });
}

const earliest = (instants: readonly (string | null)[]): string | null =>
  instants.filter((instant) => instant !== null).toSorted()[0] ?? null;
