import { TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconLink, IconSearch, IconUsers } from '@tabler/icons-react';
import { useMemo } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Mark } from '#client/components/marks.tsx';
import { Pagination } from '#client/components/pagination.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { sortRows } from '#client/lib/table-sort.ts';
import type { GuildDetailDto } from '#shared/schemas/discord.ts';
import { count } from '#shared/plural.ts';
import { DiscordId } from './discord-id.tsx';
import { DayDate } from './day-date.tsx';
import { guildCopy } from './guild-text.ts';
import { useGuildView, type RosterFilter } from './guild-search.ts';
import { useTypedText } from './use-typed-text.ts';
import classes from './roster.module.css';

type Member = GuildDetailDto['members'][number];

/** Rows per page; more would be slow on a phone. */
const PAGE_SIZE = 50;

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'registered', label: 'Registered' },
  { value: 'unregistered', label: 'Not Registered' },
] as const satisfies readonly { value: RosterFilter; label: string }[];

const COLUMNS: readonly Column<Member>[] = [
  {
    id: 'name',
    phone: { line: 1 },
    header: 'Username',
    rowHeader: true,
    sortValue: ({ discordUsername }) => discordUsername,
    cell: ({ discordUsername, isModerator }) => (
      <span className={classes.name}>
        {discordUsername}
        {isModerator && <Badge signal="cyan">Moderator</Badge>}
      </span>
    ),
  },
  {
    id: 'id',
    header: 'ID',
    cell: ({ discordUserId, discordUsername }) => <DiscordId id={discordUserId} name={discordUsername} />,
  },
  {
    id: 'registered',
    phone: { line: 2 },
    header: 'Registration',
    sortValue: ({ isRegistered, fightClubUserId }) => (isRegistered ? 0 : fightClubUserId === null ? 2 : 1),
    cell: (member) => <Registration member={member} />,
  },
  {
    id: 'optIn',
    phone: { line: 1, before: 'Events' },
    header: 'Global events',
    sortValue: ({ fightClubUserId, wantsGlobalEvents }) =>
      fightClubUserId === null ? null : Number(!wantsGlobalEvents),
    cell: ({ fightClubUserId, wantsGlobalEvents }) =>
      fightClubUserId === null ? (
        <span className={classes.none}>
          <span aria-hidden="true">—</span>
          <VisuallyHidden>No account</VisuallyHidden>
        </span>
      ) : wantsGlobalEvents ? (
        'Opted in'
      ) : (
        'Opted out'
      ),
  },
  {
    id: 'joined',
    header: 'Joined',
    sortValue: ({ joinedAt }) => joinedAt,
    cell: ({ joinedAt }) => (joinedAt === null ? 'Unknown' : <DayDate iso={joinedAt} />),
  },
  {
    id: 'updated',
    header: 'Updated',
    sortValue: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <DayDate iso={updatedAt} />,
  },
];

function Registration({ member: { isRegistered, fightClubUserId, discordUsername } }: { member: Member }) {
  return (
    <span className={classes.registration}>
      <Badge signal={isRegistered ? 'green' : 'gray'}>
        <Mark shape="circle" filled={isRegistered} size={12} />
        {isRegistered ? 'Registered' : 'Not Registered'}
      </Badge>
      {fightClubUserId !== null && (
        <Link
          to="/admin/users/$userId/availability"
          params={{ userId: fightClubUserId }}
          className={classes.linked}
          aria-label={`Linked, availability of ${discordUsername}`}
        >
          <Badge signal="course">
            <IconLink size={14} aria-hidden="true" />
            Linked
          </Badge>
        </Link>
      )}
    </span>
  );
}

const SORT_VALUES = new Map(COLUMNS.map(({ id, sortValue }) => [id, sortValue]));

interface RosterProps {
  members: readonly Member[];
  /** why there may be none: Discord is not configured, the server waits for an admin, or the members intent is off */
  why: keyof typeof NOBODY;
}

const NOBODY = {
  off: { title: guildCopy.noMembers, hint: guildCopy.membersOffHint },
  pending: { title: guildCopy.membersPending, hint: guildCopy.membersPendingHint },
  hidden: { title: guildCopy.membersHidden, hint: guildCopy.membersHiddenHint },
  unknown: { title: guildCopy.noMembers, hint: guildCopy.noMembersHint },
} as const;

/** Member roster with search, filter, sorting and pages, kept in the address. */
export function Roster({ members, why }: RosterProps) {
  const { view, setView } = useGuildView();
  const { query, show, sort, page } = view;
  const [text, type] = useTypedText(query, (typed) => setView({ query: typed, page: 1 }, { replace: true }));

  const found = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    const matching = members.filter(
      ({ discordUsername, discordUserId, isRegistered }) =>
        (show === 'all' || isRegistered === (show === 'registered')) &&
        (discordUsername.toLowerCase().includes(wanted) || discordUserId.includes(wanted)),
    );
    const sortValue = SORT_VALUES.get(sort.column);
    return sortValue ? sortRows(matching, sortValue, sort.direction) : matching;
  }, [members, query, show, sort.column, sort.direction]);

  if (members.length === 0) {
    return (
      <EmptyState icon={<IconUsers size={40} />} title={NOBODY[why].title}>
        {NOBODY[why].hint}
      </EmptyState>
    );
  }
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const shownPage = Math.min(page, pages);
  return (
    <>
      <div className={classes.tools}>
        <TextInput
          type="search"
          label="Search members"
          placeholder="Username or ID"
          className={classes.search}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <Segmented
          label="Show"
          segments={FILTERS}
          value={show}
          onChange={(value) => setView({ show: value, page: 1 })}
        />
        <output className={classes.found}>
          {found.length === members.length
            ? count(members.length, 'member')
            : `${found.length} of ${count(members.length, 'member')}`}
        </output>
      </div>
      <DataTable
        columns={COLUMNS}
        rows={found.slice((shownPage - 1) * PAGE_SIZE, shownPage * PAGE_SIZE)}
        rowKey={({ discordUserId }) => discordUserId}
        caption="Member Roster"
        sort={sort}
        onSort={(next) => setView({ sort: next, page: 1 })}
        empty={<EmptyState title={guildCopy.noMatch}>Search for another name, or show all.</EmptyState>}
      />
      <div className={classes.foot}>
        <Pagination label="Members" page={shownPage} pages={pages} onPage={(next) => setView({ page: next })} />
      </div>
    </>
  );
}
