import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { FormNote } from '#client/components/form-error.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { formatCalendarDate } from '#client/lib/time.ts';
import { localDate } from '#shared/clock.ts';
import type { MissionSeriesDto, OccurrenceDto } from '#shared/schemas/series.ts';
import { count } from '#shared/plural.ts';
import { BestHour } from './best-hour.tsx';
import { ruleWords, STATE_WORDS } from './series-text.ts';
import classes from './series.module.css';

export type SeriesTask = 'edit' | 'end' | 'takeOver';

interface SeriesPanelProps {
  series: MissionSeriesDto;
  /** the viewer's zone */
  timeZone: string;
  /** false to look up the best hours only when asked to: each is a question about all pilots */
  hasHours: boolean;
  onTask: (task: SeriesTask, series: MissionSeriesDto) => void;
  onSkip: (series: MissionSeriesDto, date: string) => void;
}

/** Dates for which the best hour is looked up: those that an admin may still move. */
const BEST_SHOWN = 4;

/** One series: its rule, its coming dates with their state, and what can be done. */
export function SeriesPanel({ series, timeZone, hasHours, onTask, onSkip }: SeriesPanelProps) {
  const [areHoursShown, setHoursShown] = useState(hasHours);
  const { name, theater, seats, createdByName, pausedReason, occurrences } = series;
  const movable = new Set(
    occurrences.filter(({ state }) => state === 'planned' || state === 'draft').slice(0, BEST_SHOWN),
  );
  const columns: Column<OccurrenceDto>[] = [
    {
      id: 'date',
      header: 'Date',
      rowHeader: true,
      cell: ({ date, missionId, startUtc }) =>
        missionId === null ? (
          formatCalendarDate(date)
        ) : (
          <Link
            to="/admin/missions/$date"
            params={{ date: localDate(startUtc, timeZone) }}
            search={{ mission: missionId }}
            className={classes.link}
          >
            {formatCalendarDate(date)}
          </Link>
        ),
    },
    {
      id: 'time',
      header: 'Time',
      cell: ({ startUtc, endUtc }) => (
        <ZSpan start={startUtc} end={endUtc} timeZone={timeZone} date={localDate(startUtc, timeZone)} />
      ),
    },
    { id: 'state', header: 'State', cell: (occurrence) => <State occurrence={occurrence} /> },
    {
      id: 'best',
      header: 'Best hour',
      cell: (occurrence) =>
        areHoursShown && movable.has(occurrence) ? (
          <BestHour series={series} occurrence={occurrence} />
        ) : (
          <span>–</span>
        ),
    },
    {
      id: 'skip',
      header: 'Skip',
      hideHeader: true,
      align: 'end',
      cell: ({ date, state }) =>
        (state === 'planned' || state === 'draft' || state === 'published') && (
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            aria-label={`Skip ${name} on ${formatCalendarDate(date)}`}
            onClick={() => onSkip(series, date)}
          >
            Skip
          </Button>
        ),
    },
  ];
  return (
    <Panel title={name} flush>
      <div className={classes.head}>
        <p className={classes.rule}>
          <strong>{ruleWords(series)}</strong>
          <span className={classes.dim}>
            {theater}, {count(seats, 'seat')}, by {createdByName}
          </span>
        </p>
        <div className={classes.actions} role="group" aria-label={`Actions for ${name}`}>
          <Button variant="default" size="xs" onClick={() => onTask('edit', series)}>
            Change
          </Button>
          {!areHoursShown && (
            <Button variant="light" size="xs" onClick={() => setHoursShown(true)}>
              Best hours
            </Button>
          )}
          {pausedReason !== null && (
            <Button size="xs" onClick={() => onTask('takeOver', series)}>
              Take over
            </Button>
          )}
          <Button variant="subtle" color="red" size="xs" onClick={() => onTask('end', series)}>
            End series
          </Button>
        </div>
      </div>
      {pausedReason !== null && (
        <div className={classes.note}>
          <FormNote>{pausedReason}</FormNote>
        </div>
      )}
      <DataTable
        caption={`Upcoming dates of ${name}`}
        columns={columns}
        rows={occurrences}
        rowKey={({ date }) => date}
        empty={<p className={classes.none}>No upcoming dates.</p>}
      />
    </Panel>
  );
}

function State({ occurrence: { state, isOwn, problem, publishAt } }: { occurrence: OccurrenceDto }) {
  const { word, signal } = STATE_WORDS[state];
  return (
    <span className={classes.state}>
      <Badge signal={problem === null ? signal : 'red'}>{word}</Badge>
      {isOwn && <span className={classes.dim}>edited separately</span>}
      {publishAt !== null && (
        <span className={classes.dim}>
          to be published <ZTime iso={publishAt} withDate copyable={false} />
        </span>
      )}
      {problem !== null && <span>{problem}</span>}
    </span>
  );
}
