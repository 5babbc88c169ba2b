import { Button, Loader } from '@mantine/core';
import { Suspense, useRef } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { formatTime } from '#shared/clock.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { formatShortDate } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import type { DryRunDto, RivalDraftDto } from '#shared/schemas/mission-plan.ts';
import { filledSentence, ineligibleSentence, unlistedSentence } from './dry-run-text.ts';
import { LongList } from './folded.tsx';
import type { MissionDraft } from './mission-draft.ts';
import { useDryRun } from './use-dry-run.ts';
import classes from './dry-run-panel.module.css';

const SeatTogether = lazyPart(
  () => import('#client/features/missions/week-plan/seat-together.tsx'),
  (part) => part.SeatTogether,
);

interface DryRunPanelProps {
  draft: MissionDraft;
  timeZone: string;
  /** sets the form's times, local in `timeZone` */
  onUse: (times: Pick<MissionDraft, 'startLocal' | 'endLocal'>) => void;
  /** creates the mission and publishes it together with these drafts */
  onTogether: (rivals: readonly RivalDraftDto[]) => void;
  /** true when the form is being sent */
  isSending: boolean;
}

/** Dry run panel: who would get an order now, which seats stay open and why, and alternative times. */
export function DryRunPanel({ draft, timeZone, onUse, onTogether, isSending }: DryRunPanelProps) {
  const { asked, isIdle, isOld, query } = useDryRun(draft, timeZone, useNow());
  const box = useRef<HTMLDivElement>(null);
  return (
    <Panel
      title="Dry run"
      actions={
        !isIdle &&
        isOld &&
        query.data !== undefined && (
          <span className={classes.again}>
            <Loader size={14} aria-hidden="true" /> Checking again...
          </span>
        )
      }
    >
      {isIdle ? (
        <EmptyState title="No dry run yet">
          Choose a future time and add aircraft to see who would get an order, before any goes out.
        </EmptyState>
      ) : (
        <Loaded query={query} loading="Checking who could fly..." failure="The dry run failed">
          {(run) => (
            <div ref={box} tabIndex={-1} className={classes.run}>
              <Result
                run={run}
                timeZone={timeZone}
                onUse={(times) => {
                  onUse(times);
                  // The button disappears with its answer; focus the panel, where the next answer appears.
                  box.current?.focus();
                }}
              />
              {asked !== null && run.rivals.length > 0 && (
                <Suspense fallback={null}>
                  <SeatTogether
                    own={{ request: asked }}
                    rivals={run.rivals}
                    action={(chosen) => (
                      <Button
                        variant="light"
                        className={classes.use}
                        disabled={isSending}
                        onClick={() => onTogether(chosen)}
                      >
                        Create and publish together
                      </Button>
                    )}
                  />
                </Suspense>
              )}
            </div>
          )}
        </Loaded>
      )}
    </Panel>
  );
}

interface ResultProps {
  run: DryRunDto;
  timeZone: string;
  onUse: DryRunPanelProps['onUse'];
}

function Result({ run, timeZone, onUse }: ResultProps) {
  const without = ineligibleSentence(run.unseated);
  return (
    <>
      <p className={classes.sentence} role="status" data-full={run.filled === run.seats || undefined}>
        {filledSentence(run)}
      </p>
      <LongList length={run.slots.length} summary="Seats by aircraft">
        <ul className={classes.slots} aria-label="Seats by aircraft">
          {run.slots.map((slot, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- equal entries may repeat, so the position identifies them
            <Slot key={index} slot={slot} />
          ))}
        </ul>
      </LongList>
      {without !== '' && <p className={classes.without}>Not seated: {without}.</p>}
      {run.better.length > 0 && (
        <section className={classes.better}>
          <h3 className={classes.betterTitle}>Times that fill more seats</h3>
          {run.better.map(({ startUtc, startLocal, endLocal, filled }) => (
            <Button
              key={startUtc}
              variant="default"
              className={classes.use}
              onClick={() => onUse({ startLocal, endLocal })}
            >
              Use {formatShortDate(startUtc, 'UTC')} {formatTime(startUtc, timeZone)}, fills {filled}
            </Button>
          ))}
        </section>
      )}
    </>
  );
}

function Slot({ slot }: { slot: DryRunDto['slots'][number] }) {
  const { aircraftName, role, side, filled, totalSlots, pilots, whyOpen } = slot;
  const unlisted = unlistedSentence(slot);
  return (
    <li className={classes.slot}>
      <div className={classes.head}>
        <strong>{aircraftName}</strong>
        <span>{role}</span>
        <SideFlag side={side} />
      </div>
      <div className={classes.seats}>
        <span className={classes.bar} aria-hidden="true">
          <span className={classes.filled}>{'▮'.repeat(filled)}</span>
          {'▯'.repeat(totalSlots - filled)}
        </span>
        <span>
          {filled} of {totalSlots}
        </span>
      </div>
      {unlisted !== '' && <p className={classes.why}>{unlisted}</p>}
      {pilots.length > 0 && (
        <details className={classes.pilots}>
          <summary>{pilots.map(({ userDisplayName }) => userDisplayName).join(', ')}</summary>
          <ul className={classes.reasons}>
            {pilots.map(({ userId, userDisplayName, reasons }) => (
              <li key={userId}>
                {userDisplayName}: <q>{reasons.join(' ')}</q>
              </li>
            ))}
          </ul>
        </details>
      )}
      {whyOpen !== null && <p className={classes.why}>{whyOpen}</p>}
    </li>
  );
}
