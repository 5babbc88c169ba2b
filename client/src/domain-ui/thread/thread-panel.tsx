import { Suspense } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { LoadingState } from '#client/components/query-states.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { threadCopy } from './thread-text.ts';
import classes from './thread-panel.module.css';

const MissionThread = lazyPart(
  () => import('./mission-thread.tsx'),
  (part) => part.MissionThread,
);

/** The thread of a mission. Its form loads after the page, which can be read without it. */
export function LazyThread({ missionId }: { missionId: string }) {
  return (
    <Suspense fallback={<LoadingState text={threadCopy.loading} />}>
      <MissionThread key={missionId} missionId={missionId} />
    </Suspense>
  );
}

/** The same in a panel of its own. */
export function ThreadPanel({ missionId }: { missionId: string }) {
  return (
    <Panel title="Thread" className={classes.panel}>
      <LazyThread missionId={missionId} />
    </Panel>
  );
}
