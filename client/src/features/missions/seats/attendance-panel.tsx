import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { evidenceWords } from '#client/domain-ui/seen-words.ts';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { Attendance } from '#shared/vocabulary.ts';
import { POLL_MS } from '#shared/limits.ts';
import { count } from '#shared/plural.ts';
import { seatName, workCopy } from '#client/features/missions/mission-text.ts';
import classes from './attendance-panel.module.css';

const SeenPanel = lazyPart(
  () => import('./seen-panel.tsx'),
  (part) => part.SeenPanel,
);

const SEGMENTS: readonly { value: Attendance; label: string }[] = [
  { value: 'attended', label: 'Attended' },
  { value: 'no_show', label: 'No-show' },
  { value: 'excused', label: 'Excused' },
];

type Mark = { orderId: string; attendance: Attendance | null };

interface AttendancePanelProps {
  missionId: string;
  /** accepted orders */
  orders: readonly MissionOrderDto[];
}

/** Attendance panel of a completed mission; every mark is saved at once and can be undone. */
export function AttendancePanel({ missionId, orders }: AttendancePanelProps) {
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const summary = useRef<HTMLSpanElement>(null);
  const record = trpc.admin.mission.recordAttendance.useMutation();
  const seen = trpc.admin.mission.attendanceReport.useQuery({ id: missionId }, { staleTime: POLL_MS.inbox });
  const seenOf = new Map(seen.data?.seenFromUtc ? seen.data.orders.map((order) => [order.orderId, order]) : []);
  const open = orders.filter(({ attendance }) => attendance === null);
  const rows = orders.toSorted(
    (a, b) => a.flightCallsign.localeCompare(b.flightCallsign, 'en', { numeric: true }) || a.seatIndex - b.seatIndex,
  );

  const save = async (marks: readonly Mark[], said: string, canUndo: boolean): Promise<void> => {
    const fresh = new Map(marks.map(({ orderId, attendance }) => [orderId, attendance]));
    const before = orders.filter(({ id }) => fresh.has(id)).map(({ id, attendance }) => ({ orderId: id, attendance }));
    setError(null);
    await utils.admin.mission.orders.cancel({ id: missionId });
    // Optimistic update, until the refetch after the call.
    const show = (attendanceOf: ReadonlyMap<string, Attendance | null>): void =>
      utils.admin.mission.orders.setData({ id: missionId }, (list) =>
        list?.map((order) => ({
          ...order,
          attendance: attendanceOf.get(order.id) ?? (attendanceOf.has(order.id) ? null : order.attendance),
        })),
      );
    show(fresh);
    try {
      await record.mutateAsync({ id: missionId, attendance: [...marks] });
      showToast(
        said,
        canUndo ? { action: { label: 'Undo', onClick: () => void save(before, 'Attendance restored.', false) } } : {},
      );
    } catch (cause) {
      show(new Map(before.map(({ orderId, attendance }) => [orderId, attendance])));
      setError(failureOf(cause, workCopy.attendanceFailed));
    } finally {
      void utils.admin.mission.orders.invalidate({ id: missionId });
      void utils.admin.mission.attendanceReport.invalidate({ id: missionId });
    }
  };

  return (
    <section className={classes.panel} aria-label="Attendance">
      <div className={classes.head}>
        <h3 className={classes.title}>Attendance</h3>
        <span ref={summary} tabIndex={-1} className={classes.left}>
          {orders.length === 0
            ? 'Nobody had accepted a seat.'
            : open.length === 0
              ? 'Everyone is marked.'
              : `${count(open.length, 'pilot')} not marked yet`}
        </span>
        {open.length > 0 && (
          <Button
            variant="light"
            size="xs"
            className={classes.all}
            leftSection={<IconChecks size={18} aria-hidden="true" />}
            onClick={() => {
              // The button disappears when all pilots are marked.
              summary.current?.focus();
              void save(
                open.map(({ id }) => ({ orderId: id, attendance: 'attended' })),
                `${count(open.length, 'pilot')} marked as attended.`,
                true,
              );
            }}
          >
            All attended
          </Button>
        )}
      </div>
      <FormError message={error} />
      {seen.data !== undefined && orders.length > 0 && (
        <Suspense fallback={null}>
          <SeenPanel missionId={missionId} report={seen.data} />
        </Suspense>
      )}
      <ul className={classes.rows}>
        {rows.map(({ id, userDisplayName, flightCallsign, seatIndex, attendance }) => (
          <li key={id} className={classes.row}>
            <span className={classes.who}>
              <strong className={classes.name}>{userDisplayName}</strong> {seatName(flightCallsign, seatIndex)}
              {seenOf.has(id) && <span className={classes.seen}>{evidenceWords(seenOf.get(id))}</span>}
            </span>
            <Segmented
              label={`Attendance of ${userDisplayName}`}
              hideLabel
              segments={SEGMENTS}
              value={attendance}
              onChange={(mark) =>
                void save([{ orderId: id, attendance: mark }], `${userDisplayName}: ${wordOf(mark)}.`, true)
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function wordOf(attendance: Attendance): string {
  return SEGMENTS.find(({ value }) => value === attendance)?.label.toLowerCase() ?? attendance;
}
