import type { ReactNode } from 'react';
import { EmptyState } from './query-states.tsx';
import { Mark } from './marks.tsx';
import { PageHeader } from './page-header.tsx';
import { Panel } from './panel.tsx';

interface NotBuiltProps {
  /** the screen's name */
  screen: string;
  /** what it is for, one sentence */
  purpose: string;
  /** where to go instead */
  action: ReactNode;
}

/** The honest face of a screen that does not exist yet. */
export function NotBuilt({ screen, purpose, action }: NotBuiltProps) {
  return (
    <>
      <PageHeader title={screen} />
      <Panel title="Not built yet">
        <EmptyState icon={<Mark shape="diamond" size={40} />} title="This screen is not built yet" action={action}>
          {purpose}
        </EmptyState>
      </Panel>
    </>
  );
}
