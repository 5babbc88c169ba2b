import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { copy } from '#shared/copy.ts';
import { errorMessage } from '#client/lib/errors.ts';
import { ErrorState } from './query-states.tsx';
import { PageHeader } from './page-header.tsx';
import { Panel } from './panel.tsx';

/** A page that broke: its sentence and a way to try again. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <>
      <PageHeader title="Something went wrong" />
      <Panel title="Error">
        <ErrorState
          message={errorMessage(error, copy.unknownError)}
          onRetry={() => {
            reset();
            void router.invalidate();
          }}
        />
      </Panel>
    </>
  );
}
