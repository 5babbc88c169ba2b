import { Link } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Panel } from '#client/components/panel.tsx';
import { LinkList } from '#client/domain-ui/briefing/link-list.tsx';
import { Notes } from '#client/domain-ui/briefing/notes.tsx';
import { Badge, StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { useScriptFonts } from '#client/lib/script-fonts.ts';
import { trpc } from '#client/lib/trpc.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { EditedMissionDto } from '#shared/schemas/mission-edit.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { Packages } from '#client/features/missions/seats/packages.tsx';
import { localDate } from '#shared/clock.ts';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { AttendancePanel } from '#client/features/missions/seats/attendance-panel.tsx';
import { MissionActions } from './mission-actions.tsx';
import type { MissionTab } from './mission-link.ts';
import { MissionTabs } from './mission-tabs.tsx';
import { CancelMission, PublishMission } from './mission-dialogs.tsx';
import { MissionEditor } from '#client/features/missions/edit/mission-editor.tsx';
import { Notice } from './notice.tsx';
import { groupOf, holdersBySeat, seatKey } from '#client/features/missions/seats/order-groups.ts';
import { AnswerBar } from '#client/features/missions/seats/answer-bar.tsx';
import { SeriesLine, useSeriesOf } from '#client/features/missions/series/series-line.tsx';
import { localTime } from '#client/lib/time.ts';
import { PilotPicker } from '#client/features/missions/seats/pilot-picker.tsx';
import { RemovePilot } from '#client/features/missions/seats/remove-pilot.tsx';
import type { SeatPlace } from '#client/features/missions/seats/seats.tsx';
import classes from './mission-card.module.css';

const SeriesDialog = lazyPart(
  () => import('#client/features/missions/series/series-dialog.tsx'),
  (part) => part.SeriesDialog,
);

const SaveTemplate = lazyPart(
  () => import('./save-template.tsx'),
  (part) => part.SaveTemplate,
);

const MissionFileDialog = lazyPart(
  () => import('./mission-file-dialog.tsx'),
  (part) => part.MissionFileDialog,
);

interface MissionCardProps {
  mission: MissionDto;
  /** date of the page */
  date: string;
  /** time zone of local times */
  timeZone: string;
  now: Date;
  /** true when the address links to this mission */
  isLinked: boolean;
  tab: MissionTab;
  onTab: (tab: MissionTab) => void;
  isEdited: boolean;
  /** result of the last action */
  notice: string | null;
  onNotice: (said: string | null) => void;
  onEdit: (isOpen: boolean) => void;
  onEdited: (edited: EditedMissionDto) => void;
  onPrint: () => void;
}

type Question = 'cancel' | 'publish' | 'template' | 'repeat' | 'files' | { assign: SeatPlace } | { remove: SeatPlace };

/** Card of a mission with its packages, flights, seats, orders and actions. */
export function MissionCard({
  mission,
  date,
  timeZone,
  now,
  isLinked,
  tab,
  onTab,
  isEdited,
  notice,
  onNotice,
  onEdit,
  onEdited,
  onPrint,
}: MissionCardProps) {
  const orders = trpc.admin.mission.orders.useQuery({ id: mission.id }, { staleTime: POLL_MS.inbox });
  useScriptFonts(JSON.stringify([mission, orders.data]));
  const [question, setQuestion] = useState<Question | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const workedSeat = useRef<string | null>(null);
  const isOwnTab = useRef(false);
  useEffect(() => {
    // A click on a tab also makes this the linked mission, but must not move the page.
    if (isLinked && !isOwnTab.current) {
      place.current?.scrollIntoView({ block: 'start' });
    }
    isOwnTab.current = false;
  }, [isLinked]);

  const isOver = mission.status === 'completed' || mission.status === 'cancelled';
  const canSeat = mission.status === 'scheduled';
  const holders = useMemo(() => orders.data && holdersBySeat(orders.data, now), [orders.data, now]);
  const work = useMemo(
    () => ({
      holders,
      isOver,
      onAssign: canSeat
        ? (assign: SeatPlace) => {
            workedSeat.current = seatKey(assign.flight.id, assign.seatIndex);
            setQuestion({ assign });
          }
        : undefined,
      onRemove: canSeat
        ? (remove: SeatPlace) => {
            workedSeat.current = seatKey(remove.flight.id, remove.seatIndex);
            setQuestion({ remove });
          }
        : undefined,
      now,
    }),
    [holders, isOver, canSeat, now],
  );
  // When a seat changes hands, its focused button disappears: focus the new one.
  useEffect(() => {
    if (workedSeat.current !== null && question === null && document.activeElement === document.body) {
      const seat = place.current?.querySelector(`[data-seat="${CSS.escape(workedSeat.current)}"]`);
      seat?.querySelector('button')?.focus({ preventScroll: true });
      workedSeat.current = null;
    }
  });
  const series = useSeriesOf(mission.id);
  const close = (): void => setQuestion(null);
  const finish = (said: string): void => {
    onNotice(said);
    close();
  };

  return (
    <div ref={place} className={classes.place} data-linked={isLinked || undefined}>
      <Panel
        title={
          <Link
            to="/admin/missions/$date"
            params={{ date }}
            search={{ mission: mission.id }}
            className={classes.name}
            title="Link to this mission"
          >
            {mission.name}
          </Link>
        }
        flush
        className={classes.card}
        actions={
          <span className={classes.badges}>
            {mission.isPractice && <Badge signal="cyan">Practice</Badge>}
            <StatusBadge kind="mission" value={mission.status} />
          </span>
        }
      >
        <div className={classes.head}>
          <p className={classes.summary}>
            <strong>{mission.theater}</strong>
            <ZSpan
              start={mission.startUtc}
              end={mission.endUtc}
              timeZone={timeZone}
              date={localDate(mission.startUtc, timeZone)}
            />
            <span className={classes.by}>by {mission.createdByName}</span>
            <SeriesLine missionId={mission.id} />
          </p>
          <MissionActions
            mission={mission}
            orders={orders.data}
            holders={holders}
            timeZone={timeZone}
            onEdit={isOver || isEdited ? null : () => onEdit(true)}
            editButton={editButton}
            onCancel={isOver && !mission.isPractice ? null : () => setQuestion('cancel')}
            onPublish={mission.status === 'draft' ? () => setQuestion('publish') : null}
            onRepeat={mission.isPractice || isOver || series !== undefined ? null : () => setQuestion('repeat')}
            onSaveTemplate={() => setQuestion('template')}
            onPrint={onPrint}
            onFiles={() => setQuestion('files')}
          />
        </div>
        {(mission.status === 'scheduled' || mission.status === 'launched') && (
          <AnswerBar
            mission={mission}
            standby={orders.data?.filter((order) => groupOf(order, now) === 'standby').length}
          />
        )}
        {notice !== null && (
          <Notice key={notice} onClose={() => onNotice(null)}>
            {notice}
          </Notice>
        )}
        {(mission.notes !== null || mission.links.length > 0) && (
          <div className={classes.missionNotes}>
            {mission.notes !== null && <Notes texts={[mission.notes]} />}
            <LinkList links={mission.links} />
          </div>
        )}
        {isEdited && (
          <MissionEditor
            missionId={mission.id}
            orders={orders.data ?? []}
            onSaved={onEdited}
            onClose={() => {
              flushSync(() => onEdit(false));
              editButton.current?.focus();
            }}
          />
        )}
        {mission.status === 'completed' && orders.data !== undefined && (
          <AttendancePanel
            missionId={mission.id}
            orders={orders.data.filter(({ rsvp, holdsSeat }) => rsvp === 'accepted' && holdsSeat)}
          />
        )}
        <MissionTabs
          mission={mission}
          orders={orders}
          timeZone={timeZone}
          now={now}
          roster={isEdited ? null : <Packages mission={mission} timeZone={timeZone} work={work} />}
          tab={tab}
          onTab={(next) => {
            isOwnTab.current = !isLinked;
            onTab(next);
          }}
        />
      </Panel>
      {question === 'cancel' && (
        <CancelMission mission={mission} orders={orders.data} now={now} onDone={finish} onClose={close} />
      )}
      {question === 'template' && (
        <Suspense fallback={null}>
          <SaveTemplate mission={mission} onDone={finish} onClose={close} />
        </Suspense>
      )}
      {question === 'repeat' && (
        <Suspense fallback={null}>
          <SeriesDialog
            subject={{
              kind: 'mission',
              id: mission.id,
              name: mission.name,
              firstDate: localDate(mission.startUtc, mission.timeZone),
              startLocal: localTime(mission.startUtc, mission.timeZone),
              timeZone: mission.timeZone,
            }}
            onClose={close}
          />
        </Suspense>
      )}
      {question === 'files' && (
        <Suspense fallback={null}>
          <MissionFileDialog
            mission={mission}
            timeZone={timeZone}
            canChange={!isOver}
            onDone={finish}
            onClose={close}
          />
        </Suspense>
      )}
      {question === 'publish' && <PublishMission mission={mission} onDone={finish} onClose={close} />}
      {typeof question === 'object' && question !== null && 'assign' in question && (
        <PilotPicker missionId={mission.id} place={question.assign} onClose={close} />
      )}
      {typeof question === 'object' && question !== null && 'remove' in question && (
        <RemovePilot missionId={mission.id} place={question.remove} holders={holders} onClose={close} />
      )}
    </div>
  );
}
