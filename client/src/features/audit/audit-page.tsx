import { useRouter } from '@tanstack/react-router';
import { IconHistory } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { LinkButton } from '#client/components/link-button.tsx';
import { inSlices, Loaded, Sliced } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Pagination } from '#client/components/pagination.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { localTimesNote } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import { ADMIN_PAGE_SIZE, POLL_MS } from '#shared/limits.ts';
import { count } from '#shared/plural.ts';
import { auditCopy } from './audit-text.ts';
import { readAuditSearch } from './audit-search.ts';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import classes from './audit-page.module.css';
import { AuditTable } from './audit-table.tsx';
import { useAuditFilters } from './use-audit-filters.ts';

const NO_FILTERS = {
  action: undefined,
  actor: undefined,
  subject: undefined,
  query: undefined,
  from: undefined,
  to: undefined,
};

/** /admin/audit: the audit log of admin actions and sign-ins, newest first. */
export const AuditPage = inSlices(function AuditPage() {
  const { timeZone } = useSignedInViewer();
  const router = useRouter();
  const [filters, change] = useAuditFilters();
  const audit = trpc.admin.audit.useQuery(
    { ...filters, tz: timeZone, pageSize: ADMIN_PAGE_SIZE },
    { staleTime: POLL_MS.inbox, placeholderData: (previous) => previous },
  );
  const { page: _page, ...narrowing } = filters;
  const isFiltered = Object.values(narrowing).some((filter) => filter !== undefined);
  const { data } = audit;
  const subjectName = data?.entries.find(({ subjectId }) => subjectId === filters.subjectId)?.subjectName;
  return (
    <>
      <PageHeader
        title="Audit Log"
        lead={[
          'What admins did and who signed in, newest first',
          ...(data ? [count(data.total, 'entry', 'entries')] : []),
          localTimesNote(timeZone),
        ].join(' · ')}
        actions={
          <>
            <LinkButton variant="default" to="/admin">
              Board
            </LinkButton>
            <LinkButton variant="default" to="/admin/users">
              Users
            </LinkButton>
          </>
        }
      />
      <div className={classes.parts}>
        <AuditFilterBar
          filters={filters}
          actors={data?.entries.flatMap(({ actor }) => (actor ? [actor] : [])) ?? []}
          subjectName={subjectName ?? null}
          onChange={change}
        />
        <Panel flush>
          <Loaded
            query={audit}
            loading={auditCopy.loading}
            failure={copy.unknownError}
            prefix={auditCopy.loadFailed}
            rows={8}
          >
            {({ entries, total }) => (
              <Sliced isBusy={audit.isPlaceholderData}>
                <AuditTable
                  entries={entries}
                  timeZone={timeZone}
                  onFilter={change}
                  empty={
                    <EmptyState
                      icon={<IconHistory size={40} />}
                      title={total > 0 ? auditCopy.emptyPage : isFiltered ? auditCopy.emptyFiltered : auditCopy.empty}
                      action={
                        (isFiltered || total > 0) && (
                          <Button variant="default" onClick={() => change(total > 0 ? {} : NO_FILTERS)}>
                            {total > 0 ? 'First page' : 'Clear filters'}
                          </Button>
                        )
                      }
                    >
                      {!isFiltered && total === 0 && auditCopy.emptyMeaning}
                    </EmptyState>
                  }
                />
              </Sliced>
            )}
          </Loaded>
        </Panel>
        {data && (
          <Pagination
            label="Audit log"
            page={filters.page}
            pages={Math.ceil(data.total / ADMIN_PAGE_SIZE)}
            hrefOf={(page) =>
              router.buildLocation({ to: '/admin/audit', search: (search) => ({ ...readAuditSearch(search), page }) })
                .href
            }
            onPage={(page) => change({ page })}
          />
        )}
      </div>
    </>
  );
});
