import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Avatar } from '#client/domain-ui/avatar.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { leaveBadge } from '#client/domain-ui/leave/leave-text.ts';
import { formatDay } from '#shared/clock.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import type { TableSort } from '#client/lib/table-sort.ts';
import { percent } from '#client/domain-ui/track-record-text.ts';
import { formatDuration } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import type { ListedUserDto } from '#shared/schemas/admin.ts';
import { USER_SORTS, type UserSort } from '#shared/vocabulary.ts';
import { RolePlates } from './role-plates.tsx';
import type { UserTask } from './use-user-task.ts';
import { UserMenu } from './user-menu.tsx';
import { personName, usersCopy } from './users-text.ts';
import classes from './users-table.module.css';

/** Last uses are known to within five minutes. */
const SEEN_NOW_MS = 6 * 60_000;

interface UsersTableProps {
  users: readonly ListedUserDto[];
  sort: TableSort;
  onSort: (sort: { sort: UserSort; direction: TableSort['direction'] }) => void;
  onTask: (task: UserTask) => void;
  empty: ReactNode;
}

/** Table of one page of users; the server sorts. */
export function UsersTable({ users, sort, onSort, onTask, empty }: UsersTableProps) {
  const viewer = useSignedInViewer();
  const now = useNow();
  const columns: Column<ListedUserDto>[] = [
    {
      id: 'displayName',
      header: 'Call sign',
      sortable: true,
      rowHeader: true,
      cell: (user) => (
        <span className={classes.name}>
          <Avatar name={personName(user)} />
          <Link to="/admin/users/$userId/availability" params={{ userId: user.id }}>
            {personName(user)}
          </Link>
          {user.id === viewer.id && <Badge signal="cyan">You</Badge>}
          {user.ban !== null && <Badge signal="red">Banned</Badge>}
          {user.leave !== null && <Badge signal="cyan">{leaveBadge(user.leave)}</Badge>}
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
      id: 'aircraft',
      header: 'Aircraft',
      cell: ({ aircraft, roles }) => <Aircraft list={aircraft} isPilot={roles.includes('user')} />,
    },
    {
      id: 'reliability',
      header: 'Reliability',
      sortable: true,
      cell: ({ reliability }) =>
        reliability === null ? <span className={classes.missing}>New</span> : percent(reliability),
    },
    {
      id: 'lastSeenAt',
      header: 'Last seen',
      sortable: true,
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? (
          <span className={classes.missing}>Never</span>
        ) : (
          <time dateTime={lastSeenAt} className={classes.joined} title={formatDay(lastSeenAt, viewer.timeZone)}>
            {agoText(now.getTime() - Date.parse(lastSeenAt))}
          </time>
        ),
    },
    {
      id: 'createdAt',
      header: 'Joined',
      sortable: true,
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} className={classes.joined}>
          {formatDay(createdAt, viewer.timeZone)}
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

/** Aircraft named in the table; the others are counted. */
const NAMED = 2;

/** The aircraft of a pilot in short; the whole list with levels is in the tooltip and on the pilot's page. */
function Aircraft({ list, isPilot }: { list: ListedUserDto['aircraft']; isPilot: boolean }) {
  if (list.length === 0) return isPilot ? <Badge signal="yellow">None listed</Badge> : null;
  const rest = list.length - NAMED;
  const names = list.slice(0, NAMED).map(({ name }) => name);
  return (
    <span className={classes.aircraft} title={list.map(({ name, level }) => `${name}: ${level}`).join(', ')}>
      {names.join(', ')}
      {rest > 0 && ` +${rest}`}
    </span>
  );
}

/** `now`, `5 min ago` */
function agoText(ms: number): string {
  return ms < SEEN_NOW_MS ? 'now' : `${formatDuration(ms)} ago`;
}
