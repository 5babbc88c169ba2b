import { Button } from '@mantine/core';
import { errorMessage } from '#client/lib/errors.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { RECOMMENDED_MINUTES } from '#shared/limits.ts';
import type { MissionSeriesDto, OccurrenceDto } from '#shared/schemas/series.ts';
import { seriesCopy } from './series-text.ts';
import classes from './series.module.css';

interface BestHourProps {
  series: MissionSeriesDto;
  occurrence: OccurrenceDto;
}

/** The time of the date at which most seats would be filled, and a button that moves the draft there. */
export function BestHour({ series, occurrence }: BestHourProps) {
  const utils = trpc.useUtils();
  const { timeZone, minutes, seatRequest } = series;
  const best = trpc.admin.dashboard.recommendedTimes.useQuery({
    date: occurrence.date,
    tz: timeZone,
    minDuration: Math.min(Math.max(minutes, RECOMMENDED_MINUTES.min), RECOMMENDED_MINUTES.max),
    seats: seatRequest,
    limit: 1,
    pilots: 0,
  });
  const move = trpc.admin.mission.edit.useMutation({
    onSuccess: () => {
      void utils.admin.invalidate();
      showToast(seriesCopy.moved);
    },
    onError: (cause) => showToast(errorMessage(cause, copy.unknownError), { signal: 'red' }),
  });
  if (best.data === undefined) return <span className={classes.dim}>…</span>;
  const [time] = best.data.recommendations;
  if (time === undefined) return <span className={classes.dim}>Nobody is free</span>;
  const { missionId } = occurrence;
  const words = `${time.startLocal.slice(11)}–${time.endLocal.slice(11)}, ${time.fillableSeats ?? 0} of ${series.seats} seats`;
  const isThere = time.startUtc === occurrence.startUtc;
  return (
    <span className={classes.best}>
      <span>{isThere ? `${words}, as planned` : words}</span>
      {!isThere && missionId !== null && occurrence.state === 'draft' && (
        <Button
          variant="light"
          size="xs"
          loading={move.isPending}
          aria-label={`Move this one: ${series.name} on ${occurrence.date} to ${time.startLocal.slice(11)}`}
          onClick={() => move.mutate({ id: missionId, startLocal: time.startLocal, endLocal: time.endLocal, timeZone })}
        >
          Move this one
        </Button>
      )}
    </span>
  );
}
