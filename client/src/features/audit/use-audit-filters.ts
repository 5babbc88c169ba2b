import { useNavigate, useSearch } from '@tanstack/react-router';
import { auditInput } from '#shared/schemas/audit.ts';
import { AUDIT_ACTIONS, type AuditAction } from '#shared/vocabulary.ts';
import type { AuditSearch } from './audit-search.ts';

export interface AuditFilters {
  page: number;
  action: AuditAction | undefined;
  actorId: string | undefined;
  subjectId: string | undefined;
  query: string | undefined;
  from: string | undefined;
  to: string | undefined;
}

/** Filters from the search parameters; values that the server would refuse are ignored. */
function filtersOf({ page, action, actor, subject, query, from, to }: AuditSearch): AuditFilters {
  const { shape } = auditInput;
  return {
    page: shape.page.safeParse(page).data ?? 1,
    action: AUDIT_ACTIONS.find((known) => known === action),
    actorId: shape.actorId.safeParse(actor).data,
    subjectId: shape.subjectId.safeParse(subject).data || undefined,
    query: shape.query.safeParse(query).data || undefined,
    from: shape.from.safeParse(from).data,
    to: shape.to.safeParse(to).data,
  };
}

/** Filters of the audit log, kept in the address, and their setter, which returns to the first page. */
export function useAuditFilters(): [AuditFilters, (next: AuditSearch) => void] {
  const search = useSearch({ from: '/_signed-in/admin/audit' });
  const navigate = useNavigate({ from: '/admin/audit' });
  return [
    filtersOf(search),
    (next) => void navigate({ search: (current) => ({ ...current, page: undefined, ...next }), resetScroll: false }),
  ];
}
