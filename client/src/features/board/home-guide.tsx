import { trpc } from '#client/lib/trpc.ts';
import { GuidedStart } from './guided-start-part.ts';
import classes from './home-guide.module.css';

/** The first steps on the home page of an admin whose community has not flown yet. */
export function HomeGuide() {
  const started = trpc.admin.community.start.useQuery();
  if (started.isPending) return <div hidden data-unsettled />;
  const start = started.data;
  return start?.isShown === true && !start.hasMission ? <GuidedStart start={start} className={classes.home} /> : null;
}
