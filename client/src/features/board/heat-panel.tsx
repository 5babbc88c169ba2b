import { NativeSelect } from '@mantine/core';
import { memo, useDeferredValue, useMemo } from 'react';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { screenCopy } from '#client/lib/screen-text.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { ANY_AIRCRAFT_ID } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { HeatDto } from '#shared/schemas/dashboard.ts';
import { boardCopy } from './board-text.ts';
import { HeatGrid } from './heat-grid.tsx';
import { describeHeat, heatLegend, layOutHeat } from './heat-model.ts';
import { HeatTable } from './heat-table.tsx';
import { BOARD_REFRESH_MS, keepPrevious } from './refresh.ts';
import type { ChangeBoard } from './use-board-search.ts';
import gridClasses from './heat-grid.module.css';
import classes from './heat-panel.module.css';

const VIEWS = [
  { value: 'grid', label: 'Grid' },
  { value: 'table', label: 'Table' },
] as const;

const HOUR_MS = 3_600_000;

interface HeatPanelProps {
  now: Date;
  today: string;
  timeZone: string;
  picked: string;
  view: 'table' | undefined;
  /** aircraft id from the address */
  aircraftId: number | undefined;
  onChange: ChangeBoard;
}

/** Panel with the number of free pilots per hour over seven days, for all aircraft or one. */
export const HeatPanel = memo(function HeatPanel({
  now,
  today,
  timeZone,
  picked,
  view,
  aircraftId,
  onChange,
}: HeatPanelProps) {
  // The switch answers at once; React renders the other view in slices.
  const shown = useDeferredValue(view);
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });
  const asked = aircraft.data?.some(({ id }) => id === aircraftId) === true ? aircraftId : ANY_AIRCRAFT_ID;
  const heat = trpc.admin.dashboard.heat.useQuery(
    { startDate: today, tz: timeZone, aircraftId: asked },
    {
      refetchInterval: BOARD_REFRESH_MS,
      staleTime: BOARD_REFRESH_MS,
      placeholderData: keepPrevious,
      // The id from the address can be checked only once the aircraft list has loaded.
      enabled: aircraftId === undefined || aircraft.data !== undefined || aircraft.error !== null,
    },
  );
  return (
    <Panel
      title="Availability heat"
      actions={
        <div className={classes.tools}>
          <NativeSelect
            aria-label="Aircraft"
            className={classes.aircraft}
            data={aircraftOptions(aircraft.data ?? [])}
            value={String(asked)}
            onChange={({ currentTarget }) => {
              const id = Number(currentTarget.value);
              onChange({ aircraft: id === ANY_AIRCRAFT_ID ? undefined : id });
            }}
          />
          <Segmented
            label="View of the availability heat"
            hideLabel
            segments={VIEWS}
            value={view ?? 'grid'}
            onChange={(next) => onChange({ heat: next === 'table' ? next : undefined })}
          />
        </div>
      }
    >
      <Loaded
        query={heat}
        loading={boardCopy.loadingHeat}
        failure={copy.unknownError}
        prefix={boardCopy.heatFailed}
        rows={7}
      >
        {(data) => (
          <HeatOf
            heat={data}
            hour={Math.floor(now.getTime() / HOUR_MS) * HOUR_MS}
            picked={picked}
            view={shown}
            isBusy={heat.isPlaceholderData}
          />
        )}
      </Loaded>
    </Panel>
  );
});

interface HeatOfProps extends Pick<HeatPanelProps, 'picked' | 'view'> {
  heat: HeatDto;
  /** start of the current hour, epoch milliseconds */
  hour: number;
  isBusy: boolean;
}

function HeatOf({ heat, hour, picked, view, isBusy }: HeatOfProps) {
  const layout = useMemo(() => layOutHeat(heat, hour), [heat, hour]);
  const { most, columns, rows } = layout;
  return (
    <>
      <p className={classes.summary}>{describeHeat(layout)}</p>
      {view === 'table' ? (
        <HeatTable columns={columns} rows={rows} most={most} />
      ) : (
        <>
          <HeatGrid layout={layout} picked={picked} isBusy={isBusy} />
          <ul className={gridClasses.legend} aria-label="Pilots by colour">
            {heatLegend(most).map(({ level, range }) => (
              <li key={level}>
                <span className={gridClasses.swatch} data-level={level} aria-hidden="true" />
                {range}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function aircraftOptions(aircraft: readonly AircraftDto[]) {
  return [
    { value: String(ANY_AIRCRAFT_ID), label: screenCopy.anyAircraft },
    ...aircraft.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
}
