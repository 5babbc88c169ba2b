import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import { IconEdit, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ActionMenu, MenuItem } from '#client/components/action-menu.tsx';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import type { AircraftTypeDto } from '#shared/schemas/aircraft.ts';
import classes from './aircraft.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

export type AircraftTask = 'edit' | 'delete';

interface AircraftTableProps {
  types: readonly AircraftTypeDto[];
  /** ids that are being switched */
  switching: ReadonlySet<number>;
  onSwitch: (type: AircraftTypeDto, active: boolean) => void;
  onTask: (task: AircraftTask, type: AircraftTypeDto) => void;
  empty: ReactNode;
}

/** Table of the aircraft types, each with a switch; the community's own also have a menu. */
export function AircraftTable({ types, switching, onSwitch, onTask, empty }: AircraftTableProps) {
  const columns: Column<AircraftTypeDto>[] = [
    {
      id: 'name',
      header: 'Aircraft',
      rowHeader: true,
      sortValue: ({ name }) => name.toLowerCase(),
      cell: ({ name, code, isOwn }) => (
        <span className={classes.name}>
          {name}
          <span className={classes.code}>
            {code}
            {isOwn && <span className={classes.own}> · own type</span>}
          </span>
        </span>
      ),
    },
    {
      id: 'roles',
      header: 'Usual roles',
      cell: ({ roles }) => <span className={classes.roles}>{roles.join(', ')}</span>,
    },
    { id: 'seats', header: 'Seats', align: 'end', sortValue: ({ seats }) => seats, cell: ({ seats }) => seats },
    { id: 'pilots', header: 'Pilots', align: 'end', sortValue: ({ pilots }) => pilots, cell: ({ pilots }) => pilots },
    {
      id: 'missions',
      header: 'Missions ahead',
      align: 'end',
      sortValue: ({ missions }) => missions,
      cell: ({ missions }) => missions,
    },
    {
      id: 'offered',
      header: 'Offered',
      cell: (type) => (
        <Switch
          aria-label={`Offer ${type.name}`}
          classNames={{ root: classes.switch, track: classes.track, trackLabel: classes.word }}
          color="green"
          size="md"
          onLabel="On"
          offLabel="Off"
          checked={type.active}
          aria-busy={switching.has(type.id) || undefined}
          onChange={({ currentTarget }) => onSwitch(type, currentTarget.checked)}
        />
      ),
    },
    {
      id: 'menu',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (type) =>
        type.isOwn && (
          <ActionMenu label={`Actions for ${type.name}`}>
            <MenuItem leftSection={<IconEdit {...ICON} />} onClick={() => onTask('edit', type)}>
              Edit
            </MenuItem>
            <MenuItem leftSection={<IconTrash {...ICON} />} onClick={() => onTask('delete', type)}>
              Delete
            </MenuItem>
          </ActionMenu>
        ),
    },
  ];
  return <DataTable caption="Aircraft" columns={columns} rows={types} rowKey={({ id }) => id} empty={empty} />;
}
