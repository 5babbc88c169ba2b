import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { RECOMMENDED_MINUTES } from '#shared/limits.ts';
import type { MissionSeriesDto, OccurrenceDto } from '#shared/schemas/series.ts';
import { parseSeatRequests } from '#shared/seat-request.ts';
import { SIDES } from '#shared/vocabulary.ts';
import { seriesCopy } from './series-text.ts';
import classes from './series.module.css';

/** `1900` of `2026-11-21T19:00`, in the zone of the series */
const clockOf = (local: string): string => local.slice(11).replace(':', '');

interface BestHourProps {
  series: MissionSeriesDto;
  occurrence: OccurrenceDto;
}

/** The planned time as a dry run; sides and roles do not affect how many seats fill. */
const dryRunOf = ({ seatRequest }: MissionSeriesDto, { startUtc, endUtc }: OccurrenceDto) => ({
  startLocal: startUtc.slice(0, 16),
  endLocal: endUtc.slice(0, 16),
  timeZone: 'UTC',
  aircraftSlots: parseSeatRequests(seatRequest).map(({ aircraftId, seats }) => ({
    aircraftId,
    slotCount: seats,
    side: SIDES.blue,
    notes: 'Training' as const,
  })),
});

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
    onError: (cause) => showFailure(cause, copy.unknownError),
  });
  const planned = useQuery({
    queryKey: ['series fill', seatRequest, occurrence.startUtc, occurrence.endUtc],
    queryFn: async () => (await trpcClient.admin.mission.dryRun.mutate(dryRunOf(series, occurrence))).filled,
  });
  if (best.data === undefined || planned.isPending) return <span className={classes.dim}>…</span>;
  const [time] = best.data.recommendations;
  if (time === undefined) return <span className={classes.dim}>Nobody is free</span>;
  const { missionId } = occurrence;
  const words = `${clockOf(time.startLocal)}–${clockOf(time.endLocal)}L, ${time.fillableSeats ?? 0} of ${series.seats} seats`;
  const isAsGood = time.startUtc === occurrence.startUtc || (planned.data ?? -1) >= (time.fillableSeats ?? 0);
  return (
    <span className={classes.best}>
      <span>
        {isAsGood ? `As planned, ${planned.data ?? time.fillableSeats ?? 0} of ${series.seats} seats` : words}
      </span>
      {!isAsGood && missionId !== null && occurrence.state === 'draft' && (
        <Button
          variant="light"
          size="xs"
          loading={move.isPending}
          aria-label={`Move this one: ${series.name} on ${occurrence.date} to ${clockOf(time.startLocal)}L`}
          onClick={() => move.mutate({ id: missionId, startLocal: time.startLocal, endLocal: time.endLocal, timeZone })}
        >
          Move this one
        </Button>
      )}
    </span>
  );
}
