import { Button, NativeSelect } from '@mantine/core';
import { IconChecks, IconPlaneArrival } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { FileDrop } from '#client/components/file-drop.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { uploadRecording, UploadRefused } from '#client/lib/upload-mission-file.ts';
import { copy } from '#shared/copy.ts';
import type { AttendanceReport, SeenNameDto } from '#shared/schemas/attendance.ts';
import { openNames, openProposals, seenCopy, summaryOf } from './seen-text.ts';
import classes from './seen-panel.module.css';

interface SeenPanelProps {
  missionId: string;
  report: AttendanceReport;
}

/** Pilots seen in a mission: a recording to send, its proposals, and the names that are nobody's yet. */
export function SeenPanel({ missionId, report }: SeenPanelProps) {
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const [isReading, setReading] = useState(false);
  const summary = useRef<HTMLParagraphElement>(null);
  const show = (fresh: AttendanceReport) => utils.admin.mission.attendanceReport.setData({ id: missionId }, fresh);
  const reload = () => {
    void utils.admin.mission.attendanceReport.invalidate({ id: missionId });
    void utils.admin.mission.orders.invalidate({ id: missionId });
  };

  const read = async (file: File): Promise<void> => {
    setError(null);
    setReading(true);
    try {
      show(await uploadRecording(missionId, file));
    } catch (cause) {
      setError(cause instanceof UploadRefused ? cause.message : copy.unknownError);
    } finally {
      setReading(false);
    }
  };

  const restore = trpc.admin.mission.recordAttendance.useMutation({
    onSuccess: () => showToast(seenCopy.undone),
    onError: (cause) => setError(failureOf(cause, seenCopy.decideFailed)),
    onSettled: reload,
  });
  const decide = trpc.admin.mission.decideAttendance.useMutation({
    onSuccess: ({ orderIds }, { decision }) => {
      if (decision === 'dismissed' || orderIds.length === 0) return;
      const undo = () =>
        restore.mutate({ id: missionId, attendance: orderIds.map((orderId) => ({ orderId, attendance: null })) });
      showToast(seenCopy.confirmed(orderIds.length), { action: { label: 'Undo', onClick: undo } });
    },
    onError: (cause) => setError(failureOf(cause, seenCopy.decideFailed)),
    onSettled: reload,
  });
  const proposals = openProposals(report);
  const settle = (decision: 'confirmed' | 'dismissed') => {
    setError(null);
    // the buttons disappear
    summary.current?.focus();
    decide.mutate({ id: missionId, decision });
  };

  return (
    <div className={classes.panel}>
      <FormError message={error} />
      {report.seenFromUtc !== null && (
        <div className={classes.head}>
          <p ref={summary} tabIndex={-1} className={classes.summary}>
            {summaryOf(report)}
          </p>
          {proposals.length > 0 && (
            <span className={classes.decide}>
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                className={classes.button}
                onClick={() => settle('dismissed')}
              >
                Dismiss
              </Button>
              <Button
                size="xs"
                className={classes.button}
                leftSection={<IconChecks size={18} aria-hidden="true" />}
                loading={decide.isPending}
                onClick={() => settle('confirmed')}
              >
                Confirm {proposals.length}
              </Button>
            </span>
          )}
        </div>
      )}
      <Names missionId={missionId} report={report} onSaved={show} onError={setError} />
      <FileDrop
        label="Tacview recording"
        title={isReading ? seenCopy.reading : seenCopy.drop}
        hint={seenCopy.hint}
        icon={<IconPlaneArrival size={28} aria-hidden="true" />}
        accept=".acmi,.zip,.txt"
        disabled={isReading}
        onFile={(file) => void read(file)}
      />
    </div>
  );
}

interface NamesProps extends SeenPanelProps {
  onSaved: (report: AttendanceReport) => void;
  onError: (message: Told) => void;
}

/** Names that are nobody's, each with the pilots it could be, and those that an admin has given a pilot. */
function Names({ missionId, report, onSaved, onError }: NamesProps) {
  const save = trpc.admin.mission.setGameName.useMutation({
    onSuccess: onSaved,
    onError: (cause) => onError(failureOf(cause, seenCopy.nameFailed)),
  });
  const unknown = openNames(report);
  const proved = report.names.filter(({ isProved }) => isProved);
  if (unknown.length + proved.length === 0) return null;
  const set = (name: string, userId: string | null) => {
    onError(null);
    save.mutate({ id: missionId, name, userId });
  };
  const known = report.orders.map(({ userId, userDisplayName }) => ({ value: userId, label: userDisplayName }));
  const choicesOf = ({ couldBe }: SeenNameDto) => {
    const others = couldBe.map(({ userId, userDisplayName }) => ({ value: userId, label: userDisplayName }));
    const pilots = new Map([...others, ...known].map((pilot) => [pilot.value, pilot]));
    return [...pilots.values()].toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
  };
  return (
    <ul className={classes.names} aria-label="Names in the game">
      {unknown.map((one) => (
        <li key={one.name} className={classes.row}>
          <span className={classes.who}>
            <strong className={classes.name}>{one.name}</strong> {nameWords(one)}
          </span>
          <NativeSelect
            aria-label={`${one.name} is`}
            className={classes.choice}
            value=""
            disabled={save.isPending}
            data={[{ value: '', label: 'This is...' }, ...choicesOf(one)]}
            onChange={({ currentTarget }) => set(one.name, currentTarget.value)}
          />
        </li>
      ))}
      {proved.map(({ name, pilot }) => (
        <li key={name} className={classes.row}>
          <span className={classes.who}>
            <strong className={classes.name}>{name}</strong> is {pilot?.userDisplayName}, as an admin said
          </span>
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            className={classes.button}
            aria-label={`Undo for ${name}`}
            disabled={save.isPending}
            onClick={() => set(name, null)}
          >
            Undo
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** `60 min, F-16C_50; could be Vesper or [VF-1] Vesper` */
function nameWords({ minutes, aircraft, couldBe }: SeenNameDto): string {
  const pilots = couldBe.map(({ userDisplayName }) => userDisplayName).join(' or ');
  const seen = [`${minutes} min`, ...aircraft].join(', ');
  if (couldBe.length === 1) return `${seen}; two names at once look like ${pilots}`;
  return couldBe.length > 1 ? `${seen}; could be ${pilots}` : seen;
}
