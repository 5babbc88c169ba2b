import { Link } from '@tanstack/react-router';
import { Mark } from '#client/components/marks.tsx';
import { Panel } from '#client/components/panel.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { panelLink } from '#shared/profile-sections.ts';
import { spanOfDates, spanOfTimes } from './override-runs.ts';
import { useBusyTimes } from './use-busy-times.ts';
import classes from './override-panel.module.css';

/** Panel of the times that the pilot's calendars take away in the next two weeks. */
export function BusyPanel() {
  const { timeZone } = useSignedInViewer();
  const times = useBusyTimes();
  return (
    <Panel title="Busy, from your calendars">
      <p className={classes.lead}>
        {times.length === 0
          ? 'Your calendars take nothing away in the next two weeks. '
          : 'You are not asked to fly at these times of the next two weeks. To fly in spite of one, add an exception “Available” above. '}
        <Link {...panelLink('busy-calendars')}>{times.length === 0 ? 'Add a calendar' : 'Your busy calendars'}</Link>
      </p>
      {times.length > 0 && (
        <ul className={classes.list} aria-label="Busy times">
          {times.map((time) => (
            <li key={`${time.dateLocal} ${time.startLocal}`} className={classes.run}>
              <span className={classes.kind} data-kind="busy">
                <Mark shape="bar" size={14} /> Busy
              </span>
              <span className={classes.when}>
                <strong>{spanOfDates({ firstDate: time.dateLocal, lastDate: time.dateLocal })}</strong>{' '}
                <span className={classes.times}>{spanOfTimes({ firstDate: time.dateLocal, ...time }, timeZone)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
