import { useState, type ReactNode } from 'react';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import classes from './quiet-panel.module.css';

interface QuietPanelProps<Item> {
  title: string;
  query: Loadable<Item[]>;
  /** sentence while a retry is running */
  loading: string;
  failure: string;
  /** renders the items, at least one */
  children: (items: Item[]) => ReactNode;
}

/**
 * Panel that is hidden while loading and when empty, so that it does not flash. After a failed load it stays visible until a
 * retry succeeds.
 */
export function QuietPanel<Item>({ title, query, loading, failure, children }: QuietPanelProps<Item>) {
  const [hasFailed, setFailed] = useState(false);
  const isKnown = query.data !== undefined;
  if (!isKnown && query.error !== null && !hasFailed) {
    setFailed(true);
  }
  if (!isKnown && !hasFailed) {
    return <div hidden data-unsettled />;
  }
  if (query.data?.length === 0) {
    return null;
  }
  return (
    <Panel title={title} flush>
      <div className={isKnown ? undefined : classes.waiting}>
        <Loaded query={query} loading={loading} failure={failure} alwaysFailure rows={1}>
          {children}
        </Loaded>
      </div>
    </Panel>
  );
}
