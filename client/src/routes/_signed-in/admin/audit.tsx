import { createFileRoute } from '@tanstack/react-router';
import { AuditPage } from '#client/features/audit/audit-page.tsx';
import { readAuditSearch } from '#client/features/audit/audit-search.ts';

export const Route = createFileRoute('/_signed-in/admin/audit')({
  component: AuditPage,
  validateSearch: readAuditSearch,
});
