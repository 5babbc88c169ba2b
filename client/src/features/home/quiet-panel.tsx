import { useState, type ReactNode } from 'react';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import classes from './quiet-panel.module.css';

interface QuietPanelProps<Item> {
  title: string;
  query: Loadable<Item[]>;
  /** sentence while Retry is at work */
  loading: string;
  failure: string;
  /** what is to be drawn of the items, of which there is one at least */
  children: (items: Item[]) => ReactNode;
}

/**
 * A panel that stands there only with something in it: while nobody knows, it would only come and go. One that had to
 * say Retry stays until the answer is there.
 */
export function QuietPanel<Item>({ title, query, loading, failure, children }: QuietPanelProps<Item>) {
  const [hasFailed, setFailed] = useState(false);
  const isKnown = query.data !== undefined;
  if (!isKnown && query.error !== null && !hasFailed) {
    setFailed(true);
  }
  if (isKnown ? query.data?.length === 0 : !hasFailed) {
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
