import { Link, Outlet, useChildMatches } from '@tanstack/react-router';
import { FormNote } from '#client/components/form-error.tsx';
import { LeaveGuard } from '#client/components/leave-guard.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { isPilot, useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { SECTION_TITLES, sectionPath, sectionsFor } from '#shared/profile-sections.ts';
import { ReportUnsaved, useUnsavedPanels } from './unsaved.ts';
import places from '#client/theme/places.module.css';
import classes from './profile-page.module.css';

/** Frame of /profile: the navigation between its sections, and the open one. Leaving it with unsaved changes asks first. */
export function ProfilePage() {
  const isFlying = isPilot(useSignedInViewer());
  const sections = sectionsFor(isFlying);
  const path = useChildMatches({ select: ([open]) => open?.pathname });
  const title = SECTION_TITLES[sections.find((section) => sectionPath(section) === path) ?? 'me'];
  const { panels, report } = useUnsavedPanels();
  return (
    <div className={classes.page}>
      <nav aria-label="Profile" className={classes.sections}>
        {sections.map((section) => (
          <Link key={section} to={sectionPath(section)} className={`${places.place} ${classes.link}`}>
            {SECTION_TITLES[section]}
          </Link>
        ))}
      </nav>
      <div className={classes.section}>
        <PageHeader title={title} documentTitle={`${title} · Profile`} />
        {!isFlying && <SuspendedNote />}
        <div className={classes.panels}>
          <ReportUnsaved value={report}>
            <Outlet />
          </ReportUnsaved>
        </div>
      </div>
      <LeaveGuard isDirty={panels.size > 0}>Not saved yet: {[...panels].join(', ')}.</LeaveGuard>
    </div>
  );
}

function SuspendedNote() {
  const deletion = trpc.auth.deletion.useQuery();
  return (
    <FormNote>
      <span>
        {deletion.data?.dueAt ? copy.accountLeaving : copy.suspended} You can still change your password, sessions and
        colours.
      </span>
    </FormNote>
  );
}
