import { Link } from '@tanstack/react-router';
import { trpc } from '#client/lib/trpc.ts';
import type { MissionSeriesDto } from '#shared/schemas/series.ts';
import { seriesWords } from '#shared/labels.ts';
import classes from './series.module.css';

/** The series that a coming mission belongs to; undefined for none, and while it loads. */
export function useSeriesOf(missionId: string): MissionSeriesDto | undefined {
  const { data } = trpc.admin.series.list.useQuery();
  return data?.find(({ occurrences }) => occurrences.some((one) => one.missionId === missionId));
}

/** `Part of Iron Anvil, every Wednesday at 1900L (Europe/Berlin)` */
export function SeriesLine({ missionId }: { missionId: string }) {
  const series = useSeriesOf(missionId);
  return (
    series !== undefined && (
      <span>
        Part of{' '}
        <Link to="/admin/series" className={classes.link}>
          {series.name}
        </Link>
        , {seriesWords(series)}
      </span>
    )
  );
}
