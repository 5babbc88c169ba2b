import { useDeferredValue, useState, type ComponentType, type ReactNode } from 'react';
import { failureOf } from '#client/lib/failure.ts';
import { hasNavigated } from '#client/lib/page-focus.ts';
import { ErrorState, LoadingState } from './query-states.tsx';

/** The part of a query that `Loaded` needs; the demo's sample data has this shape too. */
export interface Loadable<Data> {
  data: Data | undefined;
  error: unknown;
  refetch: () => Promise<unknown>;
}

interface LoadedProps<Data> {
  query: Loadable<Data>;
  /** sentence while loading */
  loading: string;
  /** sentence for a failed load when the server sent none */
  failure: string;
  /** always show `failure`, as the specification fixes for the home page, with the server's sentence below it */
  alwaysFailure?: boolean;
  /** prefix of the server's sentence, e.g. `Error loading users: ` */
  prefix?: string;
  /** number of skeleton rows */
  rows?: number;
  children: (data: Data) => ReactNode;
}

/**
 * False until `Loaded` shows the first data of a query, which React renders in slices: a page whose panels get theirs together
 * would block the browser for long. A panel that shows some of the data outside `Loaded` waits for this too, or it would move
 * twice.
 */
export function useIsShown({ data }: Pick<Loadable<unknown>, 'data'>): boolean {
  return useDeferredValue(data) !== undefined && data !== undefined;
}

/** Shows a query: loading, failed with Retry, or its data. A failed refetch keeps showing the data. */
export function Loaded<Data>({
  query,
  loading,
  failure,
  alwaysFailure = false,
  prefix = '',
  rows,
  children,
}: LoadedProps<Data>) {
  const [isRetrying, setRetrying] = useState(false);
  const isShown = useIsShown(query);
  if (query.data !== undefined && isShown) {
    return children(query.data);
  }
  if (query.data !== undefined || query.error === null || isRetrying) {
    return <LoadingState text={loading} rows={rows} />;
  }
  const { sentence: said, way } = failureOf(query.error, failure);
  return (
    <ErrorState
      message={alwaysFailure ? failure : `${prefix}${said}`}
      detail={alwaysFailure && said !== failure ? said : undefined}
      way={way}
      onRetry={() => {
        setRetrying(true);
        void query.refetch().finally(() => setRetrying(false));
      }}
    />
  );
}

interface SlicedProps {
  /** true while the children belong to an earlier question */
  isBusy: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** Children, such as the rows of a table, that React renders in slices: until they are ready, the earlier children stay. */
export function Sliced({ isBusy, className, children }: SlicedProps) {
  const shown = useDeferredValue(children);
  return (
    <div aria-busy={isBusy || shown !== children} className={className}>
      {shown}
    </div>
  );
}

/**
 * A page that React renders in slices when it is the first to open, because its scripts have just kept the browser busy. Later
 * pages are rendered at once: otherwise the screen would be empty for a moment.
 */
export function inSlices<Props extends object>(Page: ComponentType<Props>): (props: Props) => ReactNode {
  return function SlicedPage(props) {
    return useDeferredValue(true, hasNavigated()) && <Page {...props} />;
  };
}
