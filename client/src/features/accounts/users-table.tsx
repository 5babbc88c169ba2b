import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { formatter } from '#shared/clock.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import type { TableSort } from '#client/lib/table-sort.ts';
import type { ComparedUserDto } from '#shared/schemas/auth.ts';
import { USER_SORTS, type UserSort } from '#shared/vocabulary.ts';
import { RolePlates } from './role-plates.tsx';
import type { UserTask } from './use-user-task.ts';
import { UserMenu } from './user-menu.tsx';
import { personName, usersCopy } from './users-text.ts';
import classes from './users-table.module.css';

interface UsersTableProps {
  users: readonly ComparedUserDto[];
  sort: TableSort;
  onSort: (sort: { sort: UserSort; direction: TableSort['direction'] }) => void;
  onTask: (task: UserTask) => void;
  empty: ReactNode;
}

/** Table of one page of users; the server sorts. */
export function UsersTable({ users, sort, onSort, onTask, empty }: UsersTableProps) {
  const viewer = useSignedInViewer();
  const columns: Column<ComparedUserDto>[] = [
    {
      id: 'displayName',
      header: 'Call sign',
      sortable: true,
      rowHeader: true,
      cell: (user) => (
        <span className={classes.name}>
          <Link to="/admin/users/$userId/availability" params={{ userId: user.id }}>
            {personName(user)}
          </Link>
          {user.id === viewer.id && <Badge signal="cyan">You</Badge>}
          {user.looksLike.length > 0 && <span className={classes.alike}>looks like {user.looksLike.join(', ')}</span>}
        </span>
      ),
    },
    {
      id: 'email',
      header: 'Email',
      sortable: true,
      cell: ({ email }) => (email === '' ? <span className={classes.missing}>{usersCopy.noEmail}</span> : email),
    },
    { id: 'roles', header: 'Roles', cell: (user) => <RolePlates user={user} onTask={onTask} /> },
    {
      id: 'createdAt',
      header: 'Joined',
      sortable: true,
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} className={classes.joined}>
          {formatJoined(createdAt, viewer.timeZone)}
        </time>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (user) => <UserMenu user={user} onTask={onTask} />,
    },
  ];
  return (
    <DataTable
      columns={columns}
      rows={users}
      rowKey={({ id }) => id}
      caption="Users"
      empty={empty}
      sort={sort}
      onSort={({ column, direction }) => {
        const known = USER_SORTS.find((name) => name === column);
        if (known !== undefined) {
          onSort({ sort: known, direction });
        }
      }}
    />
  );
}

/** `Nov 3, 2026` in the reader's zone. */
function formatJoined(instant: string, timeZone: string): string {
  return formatter('en-US', { timeZone, year: 'numeric', month: 'short', day: 'numeric' }).format(new Date(instant));
}
