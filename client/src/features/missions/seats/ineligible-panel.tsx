import { Suspense, useState } from 'react';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { LoadingState } from '#client/components/query-states.tsx';
import { workCopy } from '#client/features/missions/mission-text.ts';
import classes from './orders-panel.module.css';

const IneligibleList = lazyPart(
  () => import('./ineligible-list.tsx'),
  (part) => part.IneligibleList,
);

/** Collapsible panel of pilots without a seat, loaded when opened. */
export function IneligiblePanel({ missionId, missionName }: { missionId: string; missionName: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.orders} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={classes.summary}>
        <span className={classes.title}>Not seated</span>
      </summary>
      {isOpen && (
        <Suspense fallback={<LoadingState text={workCopy.loadingIneligible} />}>
          <IneligibleList missionId={missionId} missionName={missionName} />
        </Suspense>
      )}
    </details>
  );
}
