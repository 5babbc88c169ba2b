import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { SearchField } from '#client/components/search-field.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { viewerName } from '#client/lib/session.ts';
import { AUDIT_ACTION_NAMES } from '#shared/labels.ts';
import { AUDIT_QUERY_LENGTH, PAGE_SIZE } from '#shared/limits.ts';
import { AUDIT_ACTIONS } from '#shared/vocabulary.ts';
import classes from './audit-filter-bar.module.css';
import type { AuditSearch } from './audit-search.ts';
import type { AuditFilters } from './use-audit-filters.ts';

interface AuditFilterBarProps {
  filters: AuditFilters;
  /** actors of the shown entries, so that a former admin who is selected keeps a name */
  actors: readonly { id: string; displayName: string }[];
  /** name of the subject filter, if known */
  subjectName: string | null;
  onChange: (next: AuditSearch) => void;
}

/** Filters of the audit log: text, dates, action, admin, subject. */
export function AuditFilterBar({ filters, actors, subjectName, onChange }: AuditFilterBarProps) {
  const admins = trpc.admin.users.useQuery({ role: ['admin'], pageSize: PAGE_SIZE.max, sort: 'displayName' });
  const names = new Map(admins.data?.users.map((user) => [user.id, viewerName(user)]));
  const { action, actorId, subjectId, query, from, to } = filters;
  if (actorId !== undefined && !names.has(actorId)) {
    names.set(actorId, actors.find(({ id }) => id === actorId)?.displayName ?? 'This account');
  }
  return (
    <div className={classes.bar} role="search" aria-label="Audit log">
      <SearchField
        value={query ?? ''}
        placeholder="Name or text"
        maxLength={AUDIT_QUERY_LENGTH}
        onSearch={(wanted) => onChange({ query: wanted || undefined })}
      />
      <TextInput
        type="date"
        label="From"
        value={from ?? ''}
        max={to}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="To"
        value={to ?? ''}
        min={from}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value || undefined })}
      />
      <NativeSelect
        label="Action"
        value={action ?? ''}
        data={[
          { value: '', label: 'All actions' },
          ...AUDIT_ACTIONS.map((value) => ({ value, label: AUDIT_ACTION_NAMES[value] })),
        ]}
        onChange={({ currentTarget }) => onChange({ action: currentTarget.value || undefined })}
      />
      <NativeSelect
        label="Admin"
        value={actorId ?? ''}
        data={[{ value: '', label: 'All admins' }, ...[...names].map(([value, label]) => ({ value, label }))]}
        onChange={({ currentTarget }) => onChange({ actor: currentTarget.value || undefined })}
      />
      {subjectId !== undefined && (
        <Button
          variant="light"
          color="cyan"
          className={classes.subject}
          aria-label={`Show all entries, not only entries about ${subjectName ?? subjectId}`}
          rightSection={<IconX size={16} aria-hidden="true" />}
          onClick={() => onChange({ subject: undefined })}
        >
          About {subjectName ?? subjectId}
        </Button>
      )}
    </div>
  );
}
