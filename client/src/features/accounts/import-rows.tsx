import { Button, NativeSelect } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import type { ImportPreviewDto, PreviewRowDto } from '#shared/schemas/spreadsheet.ts';
import { IMPORT_STATES, type ImportState } from '#shared/vocabulary.ts';
import { changeText, countText, rowName, STATE_NAMES } from './import-text.ts';
import { downloadProblems } from './pilots-csv.ts';
import classes from './import-page.module.css';

const SIGNALS = { create: 'green', update: 'cyan', unchanged: 'gray', bad: 'red' } as const;
/** Rows shown at first, and added by each "Show more". */
const SHOWN = 50;

const COLUMNS: readonly Column<PreviewRowDto>[] = [
  { id: 'row', header: 'Row', cell: ({ row }) => <span className={classes.number}>{row}</span> },
  {
    id: 'pilot',
    header: 'Pilot',
    rowHeader: true,
    cell: (row) => <span className={classes.name}>{rowName(row)}</span>,
  },
  {
    id: 'state',
    header: 'Result',
    cell: ({ state }) => <Badge signal={SIGNALS[state]}>{STATE_NAMES[state]}</Badge>,
  },
  {
    id: 'detail',
    header: 'Details',
    cell: ({ state, problem, changes }) =>
      problem === null ? (
        <ul className={classes.changes}>
          {changes
            .filter(({ column }) => state !== 'create' || column !== 'callSign')
            .map((change) => (
              <li key={change.column}>{changeText(change)}</li>
            ))}
        </ul>
      ) : (
        <span className={classes.problem}>{problem}</span>
      ),
  },
];

/** Second step of an import: what it would do with every row. */
export function ImportRows({ preview, actions }: { preview: ImportPreviewDto; actions: ReactNode }) {
  const [chosen, setChosen] = useState<ImportState | 'all'>('all');
  const [shown, setShown] = useState(SHOWN);
  const { rows } = preview;
  const byState = Map.groupBy(rows, ({ state }) => state);
  const countOf = (state: ImportState): number => byState.get(state)?.length ?? 0;
  const bad = byState.get('bad') ?? [];
  const listed = chosen === 'all' ? rows : (byState.get(chosen) ?? []);
  return (
    <div className={classes.preview}>
      <div className={classes.bar}>
        <NativeSelect
          label="Rows"
          data={[
            { value: 'all', label: `All ${rows.length.toLocaleString('en-US')}` },
            ...IMPORT_STATES.filter((state) => countOf(state) > 0).map((state) => ({
              value: state,
              label: `${STATE_NAMES[state]} ${countOf(state).toLocaleString('en-US')}`,
            })),
          ]}
          value={chosen}
          onChange={({ currentTarget }) => {
            setChosen(IMPORT_STATES.find((state) => state === currentTarget.value) ?? 'all');
            setShown(SHOWN);
          }}
        />
        <div className={classes.counts}>
          {IMPORT_STATES.filter((state) => countOf(state) > 0).map((state) => (
            <Badge key={state} signal={SIGNALS[state]}>
              {countText(state, countOf(state))}
            </Badge>
          ))}
        </div>
        <div className={classes.buttons}>
          {bad.length > 0 && (
            <Button variant="default" onClick={() => void downloadProblems(bad)}>
              Download problems
            </Button>
          )}
          {actions}
        </div>
      </div>
      <Panel flush>
        <DataTable
          caption="Preview"
          columns={COLUMNS}
          rows={listed.slice(0, shown)}
          step={Infinity}
          rowKey={({ row }) => row}
          empty={<EmptyState title="No such rows" />}
        />
      </Panel>
      {listed.length > shown && (
        <div className={classes.more}>
          <Button variant="default" onClick={() => setShown(shown + SHOWN)}>
            Show {Math.min(SHOWN, listed.length - shown)} more
          </Button>
          <span className={classes.hint}>
            {shown} of {listed.length.toLocaleString('en-US')} rows
          </span>
        </div>
      )}
    </div>
  );
}
