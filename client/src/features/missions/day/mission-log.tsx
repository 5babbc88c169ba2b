import { Link } from '@tanstack/react-router';
import { Loaded } from '#client/components/loaded.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { workCopy } from '#client/features/missions/mission-text.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { LOG_SHOWN } from '#shared/limits.ts';
import classes from './mission-log.module.css';

/** The latest entries of the audit log about a mission, newest first. */
export function MissionLog({ missionId, timeZone }: { missionId: string; timeZone: string }) {
  const log = trpc.admin.audit.useQuery({ subjectId: missionId, pageSize: LOG_SHOWN });
  return (
    <Loaded query={log} loading={workCopy.loadingLog} failure={copy.unknownError} prefix={workCopy.logFailed}>
      {({ entries, total }) => (
        <div className={classes.log}>
          {entries.length === 0 ? (
            <p className={classes.none}>{workCopy.noLog}</p>
          ) : (
            <ol className={classes.entries}>
              {entries.map(({ id, occurredAt, actor, isByCommandLine, summary }) => (
                <li key={id}>
                  <ZTime iso={occurredAt} timeZone={timeZone} withDate copyable={false} />
                  <span className={classes.who}>
                    {actor?.displayName ?? (isByCommandLine ? 'Command line' : 'Former account')}
                  </span>
                  <span className={classes.what}>{summary}</span>
                </li>
              ))}
            </ol>
          )}
          <Link to="/admin/audit" search={{ subject: missionId }} className={classes.all}>
            {total > entries.length ? `All ${total} entries` : 'Open in the audit log'}
          </Link>
        </div>
      )}
    </Loaded>
  );
}
