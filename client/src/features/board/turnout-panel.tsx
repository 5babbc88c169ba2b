import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { Loaded } from '#client/components/loaded.tsx';
import { Mark } from '#client/components/marks.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { trpc } from '#client/lib/trpc.ts';
import type { Signal } from '#client/theme/tokens.ts';
import { localDate } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import type { TurnoutAlertDto } from '#shared/schemas/dashboard.ts';
import type { TurnoutStage } from '#shared/vocabulary.ts';
import { boardCopy } from './board-text.ts';
import { FillRate } from './fill-rate.tsx';
import { BOARD_REFRESH_MS } from './refresh.ts';
import { timeLeft, turnoutSentence } from './turnout-text.ts';
import classes from './turnout-panel.module.css';

const STAGE_SIGNALS: Record<TurnoutStage, Signal> = { '7 days': 'cyan', '48 hours': 'yellow', '24 hours': 'red' };

/** Alerts before "Show all": only the next mission, so that the board below does not move. */
const SHOWN = 1;

interface TurnoutPanelProps {
  /** hides missions that have begun */
  now: Date;
  timeZone: string;
  className?: string;
}

/**
 * Panel of missions that are unlikely to have enough pilots, and of the seats that were filled so far; keeps its height while
 * loading and when empty.
 */
export const TurnoutPanel = memo(function TurnoutPanel({ now, timeZone, className }: TurnoutPanelProps) {
  const turnout = trpc.admin.dashboard.turnout.useQuery(undefined, {
    refetchInterval: BOARD_REFRESH_MS,
    staleTime: BOARD_REFRESH_MS,
  });
  const [isOpen, setOpen] = useState(false);
  const ahead = turnout.data?.filter(({ startUtc }) => Date.parse(startUtc) > now.getTime());
  const count = ahead?.length ?? 0;
  return (
    <Panel
      title="Short of pilots"
      flush
      className={className}
      actions={
        count > SHOWN && (
          <Button
            variant="subtle"
            size="xs"
            className={classes.all}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Show less' : `Show all ${count}`}
          </Button>
        )
      }
    >
      <div className={classes.room}>
        <Loaded
          query={{ ...turnout, data: ahead }}
          loading={boardCopy.loadingTurnout}
          failure={copy.unknownError}
          prefix={boardCopy.turnoutFailed}
          rows={0}
        >
          {(alerts) => <Alerts alerts={isOpen ? alerts : alerts.slice(0, SHOWN)} now={now} timeZone={timeZone} />}
        </Loaded>
      </div>
      <FillRate timeZone={timeZone} />
    </Panel>
  );
});

interface AlertsProps {
  alerts: readonly TurnoutAlertDto[];
  now: Date;
  timeZone: string;
}

function Alerts({ alerts, now, timeZone }: AlertsProps) {
  if (alerts.length === 0) return <p className={classes.none}>{boardCopy.noneShort}</p>;
  return (
    <ul className={classes.list}>
      {alerts.map((alert) => (
        <li key={alert.missionId} className={classes.alert}>
          <Badge signal={STAGE_SIGNALS[alert.stage]}>
            <Mark shape="triangle" filled={alert.stage === '24 hours'} size={14} />
            within {alert.stage}
          </Badge>
          <p className={classes.what}>
            <Link
              to="/admin/missions/$date"
              params={{ date: localDate(alert.startUtc, timeZone) }}
              search={{ mission: alert.missionId }}
              className={classes.name}
            >
              {alert.missionName}
            </Link>
            , {timeLeft(alert.startUtc, now)}: {turnoutSentence(alert)}
          </p>
          <ZTime iso={alert.startUtc} timeZone={timeZone} withDate copyable={false} />
        </li>
      ))}
    </ul>
  );
}
