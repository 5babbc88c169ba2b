import { useState, type ReactNode } from 'react';
import { errorMessage } from '#client/lib/errors.ts';
import { ErrorState, LoadingState } from './query-states.tsx';

/** The part of a query that a screen shows; sample data have this shape too. */
export interface Loadable<Data> {
  data: Data | undefined;
  error: unknown;
  refetch: () => Promise<unknown>;
}

interface LoadedProps<Data> {
  query: Loadable<Data>;
  /** sentence while loading */
  loading: string;
  /** sentence when the load failed and the server gave none */
  failure: string;
  /** say `failure` in any case, as the specification does at home, and the server's sentence under it */
  alwaysFailure?: boolean;
  /** stands before the server's sentence, e.g. `Error loading users: ` */
  prefix?: string;
  /** skeleton rows */
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** Loading, failed with Retry, or the contents. A refresh that fails keeps what is shown. */
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
  if (query.data !== undefined) {
    return children(query.data);
  }
  if (query.error === null || isRetrying) {
    return <LoadingState text={loading} rows={rows} />;
  }
  const said = errorMessage(query.error, failure);
  return (
    <ErrorState
      message={alwaysFailure ? failure : `${prefix}${said}`}
      detail={alwaysFailure && said !== failure ? said : undefined}
      onRetry={() => {
        setRetrying(true);
        void query.refetch().finally(() => setRetrying(false));
      }}
    />
  );
}
