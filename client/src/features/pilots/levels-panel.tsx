import { Button } from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { IconButton } from '#client/components/icon-button.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { formatShortDate } from '#client/lib/time.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { ProficiencyDto } from '#shared/schemas/profile.ts';
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import { LevelBar } from './level-bar.tsx';
import { LevelDialog } from './level-dialog.tsx';
import classes from './levels-panel.module.css';
import { pilotCopy } from './pilot-text.ts';

interface LevelsPanelProps {
  pilotId: string;
  levels: readonly ProficiencyDto[];
  catalogue: readonly AircraftDto[];
}

/** Panel of a pilot's aircraft proficiencies, which admins can set. */
export function LevelsPanel({ pilotId, levels, catalogue }: LevelsPanelProps) {
  /** proficiency being edited; null for a new one, undefined when the dialog is closed */
  const [edited, setEdited] = useState<ProficiencyDto | null>();
  const zone = useReaderZone();
  const columns: Column<ProficiencyDto>[] = [
    {
      id: 'aircraft',
      header: 'Aircraft',
      rowHeader: true,
      cell: ({ aircraftName }) => aircraftName,
      sortValue: ({ aircraftName }) => aircraftName,
    },
    {
      id: 'level',
      header: 'Level',
      cell: ({ level }) => <LevelBar level={level} />,
      sortValue: ({ level }) => PROFICIENCY_LEVELS.indexOf(level),
    },
    {
      id: 'updated',
      header: 'Set',
      cell: ({ setByAdmin, updatedAt }) => (
        <span className={classes.set}>
          <span>{formatShortDate(updatedAt, zone)}</span> <span>{setByAdmin ? 'by an admin' : 'by the pilot'}</span>
        </span>
      ),
      sortValue: ({ updatedAt }) => updatedAt,
    },
    {
      id: 'change',
      header: 'Change',
      hideHeader: true,
      align: 'end',
      cell: (row) => (
        <IconButton label={`Change the level in ${row.aircraftName}`} onClick={() => setEdited(row)}>
          <IconPencil size={18} aria-hidden="true" />
        </IconButton>
      ),
    },
  ];
  return (
    <Panel
      title="Aircraft proficiencies"
      actions={
        <Button
          variant="default"
          size="xs"
          className={classes.add}
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => setEdited(null)}
        >
          Set a level
        </Button>
      }
      flush
    >
      <DataTable
        caption="Aircraft proficiencies"
        columns={columns}
        rows={levels}
        rowKey={({ aircraftId }) => aircraftId}
        empty={<EmptyState title={pilotCopy.noLevels}>{pilotCopy.noLevelsMeaning}</EmptyState>}
      />
      {edited !== undefined && (
        <LevelDialog
          pilotId={pilotId}
          edited={edited}
          catalogue={catalogue.filter(({ id }) => !levels.some(({ aircraftId }) => aircraftId === id))}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Panel>
  );
}
