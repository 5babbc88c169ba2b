import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { Loaded } from '#client/components/loaded.tsx';
import { Mark } from '#client/components/marks.tsx';
import { Panel } from '#client/components/panel.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { showFailure } from '#client/lib/failure.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Signal } from '#client/theme/tokens.ts';
import { localDate } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import { count } from '#shared/plural.ts';
import type { BoardNeedDto } from '#shared/schemas/dashboard.ts';
import type { Nudge } from '#shared/board-needs.ts';
import type { TurnoutStage } from '#shared/vocabulary.ts';
import { boardCopy } from './board-text.ts';
import { FillRate } from './fill-rate.tsx';
import { BOARD_REFRESH_MS } from './refresh.ts';
import { needSentence, timeLeft } from './needs-text.ts';
import classes from './needs-panel.module.css';

const STAGE_SIGNALS: Record<TurnoutStage, Signal> = { '7 days': 'cyan', '48 hours': 'yellow', '24 hours': 'red' };

/** Lines before "Show all": only the next one, so that the board below does not move. */
const SHOWN = 1;

interface NeedsPanelProps {
  /** hides missions that have begun */
  now: Date;
  timeZone: string;
  className?: string;
}

/**
 * The needs of missions, each line with the way to mend it, and the share of seats that were filled so far; keeps its
 * height while loading and when empty.
 */
export const NeedsPanel = memo(function NeedsPanel({ now, timeZone, className }: NeedsPanelProps) {
  const needs = trpc.admin.dashboard.needs.useQuery(undefined, {
    refetchInterval: BOARD_REFRESH_MS,
    staleTime: BOARD_REFRESH_MS,
  });
  const [isOpen, setOpen] = useState(false);
  const ahead = needs.data?.filter(({ startUtc }) => Date.parse(startUtc) > now.getTime());
  const lines = ahead?.length ?? 0;
  return (
    <Panel
      title="Needs you"
      flush
      className={className}
      actions={
        lines > SHOWN && (
          <Button
            variant="subtle"
            size="xs"
            className={classes.all}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Show less' : `Show all ${lines}`}
          </Button>
        )
      }
    >
      <div className={classes.room}>
        <Loaded
          query={{ ...needs, data: ahead }}
          loading={boardCopy.loadingNeeds}
          failure={copy.unknownError}
          prefix={boardCopy.needsFailed}
          rows={0}
        >
          {(list) => <Needs needs={isOpen ? list : list.slice(0, SHOWN)} now={now} timeZone={timeZone} />}
        </Loaded>
      </div>
      <FillRate timeZone={timeZone} />
    </Panel>
  );
});

interface NeedsProps {
  needs: readonly BoardNeedDto[];
  now: Date;
  timeZone: string;
}

function Needs({ needs, now, timeZone }: NeedsProps) {
  if (needs.length === 0) return <p className={classes.none}>{boardCopy.noNeeds}</p>;
  return (
    <ul className={classes.list}>
      {needs.map((need) => (
        <li key={`${need.missionId} ${need.kind}`} className={classes.need}>
          <Sign need={need} />
          <p className={classes.what}>
            <Link {...pageOf(need, timeZone)} className={classes.name}>
              {need.missionName}
            </Link>
            , {timeLeft(need.startUtc, now)}: {needSentence(need)}
          </p>
          <ZTime iso={need.startUtc} timeZone={timeZone} withDate copyable={false} />
          {need.kind === 'short' ? (
            <LinkButton
              to="/admin/missions/board/$missionId"
              params={{ missionId: need.missionId }}
              variant="default"
              size="xs"
              aria-label={`Find pilots for ${need.missionName}`}
            >
              Find pilots
            </LinkButton>
          ) : (
            <NudgeButton need={need} about={need.kind} />
          )}
        </li>
      ))}
    </ul>
  );
}

const pageOf = ({ startUtc, missionId }: BoardNeedDto, timeZone: string) => ({
  to: '/admin/missions/$date' as const,
  params: { date: localDate(startUtc, timeZone) },
  search: { mission: missionId },
});

function Sign({ need: { kind, stage } }: { need: BoardNeedDto }) {
  if (kind !== 'short')
    return <Badge signal="yellow">{kind === 'unconfirmed' ? 'not confirmed' : 'not answered'}</Badge>;
  return (
    <Badge signal={STAGE_SIGNALS[stage]}>
      <Mark shape="triangle" filled={stage === '24 hours'} size={14} />
      within {stage}
    </Badge>
  );
}

/** Asks the silent pilots of a mission again. */
function NudgeButton({ need, about }: { need: BoardNeedDto; about: Nudge }) {
  const utils = trpc.useUtils();
  const nudge = trpc.admin.mission.nudge.useMutation({
    onSuccess: ({ nudged }) =>
      showToast(nudged === 0 ? boardCopy.nobodyToNudge : `${count(nudged, 'pilot')} asked again`),
    onError: (cause) => showFailure(cause, copy.unknownError),
    // also after a failure: another admin may have been faster
    onSettled: () => utils.admin.dashboard.needs.invalidate(),
  });
  return (
    <Button
      variant="default"
      size="xs"
      loading={nudge.isPending}
      aria-label={`Nudge ${count(need.pilots, 'pilot')} of ${need.missionName}`}
      onClick={() => nudge.mutate({ id: need.missionId, about })}
    >
      Nudge {need.pilots}
    </Button>
  );
}
