import { Button, NativeSelect } from '@mantine/core';
import { IconUserPlus, IconUserSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense, useDeferredValue, useRef, useState } from 'react';
import { inSlices, Loaded, Sliced } from '#client/components/loaded.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Pagination } from '#client/components/pagination.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { SearchField } from '#client/components/search-field.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { ADMIN_PAGE_SIZE, POLL_MS } from '#shared/limits.ts';
import { ROLES } from '#shared/vocabulary.ts';
import { count } from '#shared/plural.ts';
import { CsvButton } from './csv-button.tsx';
import { DoneBox } from './done-box.tsx';
import { useUserTask } from './use-user-task.ts';
import { useUsersSearch, type UsersAddress } from './use-users-search.ts';
import { usersCopy } from './users-text.ts';
import { QUERY_MAX_LENGTH, usersInput } from './users-search.ts';
import { UsersTable } from './users-table.tsx';
import classes from './users-page.module.css';

// Forms and their schemas, which few visits need.
const AddPilotDialog = lazyPart(
  () => import('./add-pilot-dialog.tsx'),
  (part) => part.AddPilotDialog,
);
const BansPage = lazyPart(
  () => import('./bans-page.tsx'),
  (part) => part.BansPage,
);
const TaskDialog = lazyPart(
  () => import('./task-dialog.tsx'),
  (part) => part.TaskDialog,
);

const ROLE_CHOICES = [{ value: 'all', label: 'All' }, ...ROLES.map((role) => ({ value: role, label: role }))];

const AIRCRAFT_CHOICES = [
  { value: 'all', label: 'Any' },
  { value: 'none', label: 'None listed' },
];

/** /admin/users: the users, or with `list=bans` the bans. */
export const UsersPage = inSlices(function UsersPage() {
  const address = useUsersSearch();
  return address.search.list === 'bans' ? (
    <Suspense>
      <BansPage />
    </Suspense>
  ) : (
    <UserList {...address} />
  );
});

/** User list with search, roles and password reset. */
function UserList({ search, change, hrefOf }: UsersAddress) {
  const { query, role, page, sort, direction } = search;
  const counted = useRef<HTMLOutputElement>(null);
  const users = trpc.admin.users.useQuery(usersInput(search), {
    // Keep the previous page until the next one has loaded, so that nothing jumps.
    placeholderData: (previous) => previous,
    staleTime: POLL_MS.inbox,
  });
  const { task, begin, end } = useUserTask(counted, useDeferredValue(users.data));
  /** success message of the last action; `number` distinguishes two equal messages */
  const [done, setDone] = useState<{ sentence: string; number: number } | null>(null);
  const [isAdding, setAdding] = useState(false);
  const total = users.data?.total;
  const pages = Math.ceil((total ?? 0) / ADMIN_PAGE_SIZE);

  return (
    <>
      <Link to="/admin" className={classes.back}>
        ← Board
      </Link>
      <PageHeader
        title="Users"
        lead="Everyone in your community: roles, aircraft, reliability."
        actions={
          <>
            <LinkButton to="/admin/invites">Invite Pilots</LinkButton>
            <LinkButton to="/admin/users/import" variant="default">
              Import CSV
            </LinkButton>
            <LinkButton to="/admin/users" search={{ list: 'bans' }} variant="default">
              Bans
            </LinkButton>
            <LinkButton to="/admin/audit" variant="default">
              Audit Log
            </LinkButton>
            <Button
              variant="default"
              leftSection={<IconUserPlus size={18} aria-hidden="true" />}
              onClick={() => setAdding(true)}
            >
              Add pilot
            </Button>
          </>
        }
      />
      {done !== null && (
        <DoneBox key={done.number} onClose={() => setDone(null)}>
          {done.sentence}
        </DoneBox>
      )}
      <div className={classes.tools}>
        <SearchField
          value={query}
          placeholder="Call sign or email"
          maxLength={QUERY_MAX_LENGTH}
          onSearch={(wanted, isRefined) => change({ query: wanted }, { replace: isRefined })}
        />
        <NativeSelect
          label="Role"
          className={classes.role}
          data={ROLE_CHOICES}
          value={role}
          onChange={({ currentTarget }) => {
            change({ role: ROLES.find((known) => known === currentTarget.value) ?? 'all' });
          }}
        />
        <NativeSelect
          label="Aircraft"
          className={classes.role}
          data={AIRCRAFT_CHOICES}
          value={search.aircraft}
          onChange={({ currentTarget }) => change({ aircraft: currentTarget.value === 'none' ? 'none' : 'all' })}
        />
        <CsvButton search={search} disabled={!total} />
        <output ref={counted} tabIndex={-1} className={classes.count}>
          {total === undefined ? '' : count(total, 'user')}
        </output>
      </div>
      <Panel flush={Boolean(users.data?.users.length)}>
        <Loaded
          query={users}
          loading={usersCopy.loading}
          failure={copy.unknownError}
          prefix={usersCopy.loadFailed}
          rows={12}
        >
          {(shown) => (
            <Sliced isBusy={users.isPlaceholderData} className={classes.rows}>
              <UsersTable
                users={shown.users}
                sort={{ column: sort, direction }}
                onSort={(next) => change(next)}
                onTask={begin}
                empty={
                  shown.total > 0 ? (
                    <EmptyState
                      title={`There is no page ${shown.page}`}
                      action={<Button onClick={() => change({ page: pages })}>Go to page {pages}</Button>}
                    >
                      The list ends on page {pages}.
                    </EmptyState>
                  ) : (
                    <EmptyState
                      icon={<IconUserSearch size={40} />}
                      title={usersCopy.none}
                      action={
                        <Button onClick={() => change({ query: '', role: 'all', aircraft: 'all' })}>
                          Clear filters
                        </Button>
                      }
                    >
                      {usersCopy.noneText}
                    </EmptyState>
                  )
                }
              />
            </Sliced>
          )}
        </Loaded>
      </Panel>
      <div className={classes.foot}>
        <Pagination
          label="Users"
          page={page}
          pages={pages}
          hrefOf={hrefOf}
          onPage={(target) => change({ page: target })}
        />
        {pages > 1 && <span className={classes.size}>{ADMIN_PAGE_SIZE} per page</span>}
      </div>
      <Suspense>{isAdding && <AddPilotDialog onClose={() => setAdding(false)} />}</Suspense>
      <Suspense>
        {task !== null && (
          <TaskDialog
            task={task}
            onClose={end}
            onDone={(sentence) => setDone((last) => ({ sentence, number: (last?.number ?? 0) + 1 }))}
          />
        )}
      </Suspense>
    </>
  );
}
