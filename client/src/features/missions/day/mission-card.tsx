import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Panel } from '#client/components/panel.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { EditedMissionDto } from '#shared/schemas/mission-admin.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { Packages } from '#client/features/missions/seats/packages.tsx';
import { TimeSpan } from '#client/features/missions/time-span.tsx';
import { AttendancePanel } from '#client/features/missions/seats/attendance-panel.tsx';
import { MissionActions } from './mission-actions.tsx';
import { CancelMission, PublishMission } from './mission-dialogs.tsx';
import { MissionEditor } from '#client/features/missions/edit/mission-editor.tsx';
import { Notice } from './notice.tsx';
import { holdersBySeat, seatKey } from '#client/features/missions/seats/order-groups.ts';
import { OrdersPanel } from '#client/features/missions/seats/orders-panel.tsx';
import { PilotPicker } from '#client/features/missions/seats/pilot-picker.tsx';
import { RemovePilot } from '#client/features/missions/seats/remove-pilot.tsx';
import type { SeatPlace } from '#client/features/missions/seats/seats.tsx';
import { IneligiblePanel } from '#client/features/missions/seats/ineligible-panel.tsx';
import classes from './mission-card.module.css';

interface MissionCardProps {
  mission: MissionDto;
  /** date of the page */
  date: string;
  /** time zone of local times */
  timeZone: string;
  now: Date;
  /** true when the address links to this mission */
  isLinked: boolean;
  isPrinted: boolean;
  isEdited: boolean;
  /** result of the last action */
  notice: string | null;
  onNotice: (said: string | null) => void;
  onEdit: (isOpen: boolean) => void;
  onEdited: (edited: EditedMissionDto) => void;
  onPrint: () => void;
}

type Question = 'cancel' | 'publish' | { assign: SeatPlace } | { remove: SeatPlace };

/** Card of a mission with its packages, flights, seats, orders and actions. */
export function MissionCard({
  mission,
  date,
  timeZone,
  now,
  isLinked,
  isPrinted,
  isEdited,
  notice,
  onNotice,
  onEdit,
  onEdited,
  onPrint,
}: MissionCardProps) {
  const orders = trpc.admin.mission.orders.useQuery({ id: mission.id }, { staleTime: POLL_MS.inbox });
  const [question, setQuestion] = useState<Question | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const workedSeat = useRef<string | null>(null);
  useEffect(() => {
    if (isLinked) {
      place.current?.scrollIntoView({ block: 'start' });
    }
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
  const close = (): void => setQuestion(null);
  const finish = (said: string): void => {
    onNotice(said);
    close();
  };

  return (
    <div
      ref={place}
      className={classes.place}
      data-linked={isLinked || undefined}
      data-printed={isPrinted || undefined}
    >
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
        actions={<StatusBadge kind="mission" value={mission.status} />}
      >
        <div className={classes.head}>
          <p className={classes.summary}>
            <strong>{mission.theater}</strong>
            <TimeSpan start={mission.startUtc} end={mission.endUtc} timeZone={timeZone} />
            <span className={classes.by}>by {mission.createdByName}</span>
          </p>
          <MissionActions
            mission={mission}
            orders={orders.data}
            timeZone={timeZone}
            onEdit={isOver || isEdited ? null : () => onEdit(true)}
            editButton={editButton}
            onCancel={isOver ? null : () => setQuestion('cancel')}
            onPublish={mission.status === 'draft' ? () => setQuestion('publish') : null}
            onPrint={onPrint}
          />
        </div>
        {notice !== null && (
          <Notice key={notice} onClose={() => onNotice(null)}>
            {notice}
          </Notice>
        )}
        {mission.notes !== null && <p className={classes.missionNotes}>{mission.notes}</p>}
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
        {!isEdited && <Packages mission={mission} timeZone={timeZone} work={work} />}
        {mission.status !== 'draft' && (
          <OrdersPanel missionName={mission.name} orders={orders} timeZone={timeZone} now={now} />
        )}
        {(mission.status === 'scheduled' || mission.status === 'launched') && (
          <IneligiblePanel missionId={mission.id} missionName={mission.name} />
        )}
      </Panel>
      {question === 'cancel' && (
        <CancelMission mission={mission} orders={orders.data} now={now} onDone={finish} onClose={close} />
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
