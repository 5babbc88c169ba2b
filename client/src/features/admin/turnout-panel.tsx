import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Mark } from '#client/components/marks.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/components/status-badge.tsx';
import { ZTime } from '#client/components/z-time.tsx';
import { localDate } from '#client/lib/time.ts';
import type { Signal } from '#client/theme/tokens.ts';
import { copy } from '#shared/copy.ts';
import type { TurnoutAlertDto } from '#shared/schemas/dashboard.ts';
import type { TurnoutStage } from '#shared/vocabulary.ts';
import { boardCopy } from './board-copy.ts';
import { timeLeft, turnoutSentence } from './turnout-words.ts';
import classes from './turnout-panel.module.css';

const STAGE_SIGNALS: Record<TurnoutStage, Signal> = { '7 days': 'cyan', '48 hours': 'yellow', '24 hours': 'red' };

/** Rows until somebody asks for the rest: what is next is what can still be helped. */
const SHOWN = 3;

interface TurnoutPanelProps {
  turnout: Loadable<TurnoutAlertDto[]>;
  /** one that has begun is gone */
  now: Date;
  timeZone: string;
  className?: string;
}

/** Missions that will hardly have enough pilots; nothing at all while there is none. */
export function TurnoutPanel({ turnout, now, timeZone, className }: TurnoutPanelProps) {
  const ahead = turnout.data?.filter(({ startUtc }) => Date.parse(startUtc) > now.getTime());
  if (ahead?.length === 0 || (ahead === undefined && turnout.error === null)) return null;
  return (
    <Panel title="Short of pilots" flush={ahead !== undefined} className={className}>
      <Loaded
        query={{ ...turnout, data: ahead }}
        loading={boardCopy.loadingTurnout}
        failure={copy.unknownError}
        prefix={boardCopy.turnoutFailed}
        rows={1}
      >
        {(alerts) => <Alerts alerts={alerts} now={now} timeZone={timeZone} />}
      </Loaded>
    </Panel>
  );
}

interface AlertsProps {
  alerts: readonly TurnoutAlertDto[];
  now: Date;
  timeZone: string;
}

function Alerts({ alerts, now, timeZone }: AlertsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ul className={classes.list}>
        {(isOpen ? alerts : alerts.slice(0, SHOWN)).map((alert) => (
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
      {alerts.length > SHOWN && (
        <div className={classes.more}>
          <Button variant="subtle" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show the next ones only' : `Show all ${alerts.length}`}
          </Button>
        </div>
      )}
    </>
  );
}
