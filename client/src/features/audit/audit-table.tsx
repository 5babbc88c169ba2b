import { Link } from '@tanstack/react-router';
import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { IconButton } from '#client/components/icon-button.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { localDate } from '#shared/clock.ts';
import type { AuditEntryDto } from '#shared/schemas/audit.ts';
import type { AuditAction } from '#shared/vocabulary.ts';
import { auditCopy } from './audit-text.ts';
import type { AuditSearch } from './audit-search.ts';
import classes from './audit-table.module.css';

interface AuditTableProps {
  entries: readonly AuditEntryDto[];
  /** the reader's time zone */
  timeZone: string;
  onFilter: (next: AuditSearch) => void;
  empty: ReactNode;
}

/** Actions whose actor is not signed in. */
const ANONYMOUS_ACTIONS: ReadonlySet<AuditAction> = new Set(['sign_in_failed', 'sign_in_limited']);

/** Table of audit log entries. */
export function AuditTable({ entries, timeZone, onFilter, empty }: AuditTableProps) {
  const columns: Column<AuditEntryDto>[] = [
    {
      id: 'time',
      header: 'Time',
      cell: ({ occurredAt }) => (
        <span className={classes.time}>
          <ZTime iso={occurredAt} timeZone={timeZone} withDate copyable={false} />
        </span>
      ),
    },
    {
      id: 'actor',
      header: 'Who',
      cell: ({ actor, action, isByCommandLine }) =>
        actor ? (
          <span className={classes.actor}>
            <Link to="/admin/users/$userId/availability" params={{ userId: actor.id }} className={classes.link}>
              {actor.displayName}
            </Link>
          </span>
        ) : (
          <span className={classes.gone}>
            {isByCommandLine
              ? auditCopy.commandLine
              : ANONYMOUS_ACTIONS.has(action)
                ? auditCopy.actorUnknown
                : auditCopy.actorGone}
          </span>
        ),
    },
    { id: 'what', header: 'What', cell: ({ summary }) => <span className={classes.summary}>{summary}</span> },
    {
      id: 'subject',
      header: 'Subject',
      cell: (entry) => (
        <span className={classes.subject}>
          <Subject entry={entry} timeZone={timeZone} />
          <IconButton
            inline
            label={`Only entries about ${nameOf(entry)}`}
            onClick={() => onFilter({ subject: entry.subjectId })}
          >
            <IconFilter size={16} aria-hidden="true" />
          </IconButton>
        </span>
      ),
    },
  ];
  return <DataTable caption="Audit log" columns={columns} rows={entries} rowKey={({ id }) => id} empty={empty} />;
}

const TYPE_NAMES = {
  user: 'user',
  mission: 'mission',
  guild: 'guild',
  template: 'mission template',
  series: 'series',
  webhook: 'webhook',
  aircraft: 'aircraft',
  invite: 'invite',
  ban: 'ban',
  request: 'request',
} as const;

const nameOf = ({ subjectName, subjectType, subjectId }: AuditEntryDto): string =>
  subjectType === 'community' ? 'the settings' : (subjectName ?? `${TYPE_NAMES[subjectType]} ${subjectId}`);

/** Link to the subject's page; plain text for a mission that no longer exists. */
function Subject({ entry, timeZone }: { entry: AuditEntryDto; timeZone: string }) {
  const { subjectType, subjectId, missionStartUtc } = entry;
  if (subjectType === 'user') {
    return (
      <Link to="/admin/users/$userId/availability" params={{ userId: subjectId }} className={classes.link}>
        {nameOf(entry)}
      </Link>
    );
  }
  if (subjectType === 'guild') {
    return (
      <Link to="/admin/discord/guilds/$guildId" params={{ guildId: subjectId }} className={classes.link}>
        {nameOf(entry)}
      </Link>
    );
  }
  if (subjectType === 'webhook') {
    return (
      <Link to="/admin/webhooks" search={{ log: subjectId }} className={classes.link}>
        {nameOf(entry)}
      </Link>
    );
  }
  if (subjectType === 'aircraft') {
    return (
      <Link to="/admin/aircraft" className={classes.link}>
        {nameOf(entry)}
      </Link>
    );
  }
  if (subjectType === 'invite') {
    return (
      <Link to="/admin/invites" search={{ invite: subjectId }} className={classes.link}>
        {nameOf(entry)}
      </Link>
    );
  }
  if (subjectType === 'request') {
    return (
      <Link to="/admin/invites" className={classes.link}>
        a request
      </Link>
    );
  }
  if (subjectType === 'ban') {
    return (
      <Link to="/admin/users" search={{ list: 'bans' }} className={classes.link}>
        {nameOf(entry)}
      </Link>
    );
  }
  if (subjectType === 'community') {
    return (
      <Link to="/admin/settings" className={classes.link}>
        {nameOf(entry)}
      </Link>
    );
  }
  if (missionStartUtc === null) {
    return nameOf(entry);
  }
  return (
    <Link to="/admin/missions/$date" params={{ date: localDate(missionStartUtc, timeZone) }} className={classes.link}>
      {nameOf(entry)}
    </Link>
  );
}
