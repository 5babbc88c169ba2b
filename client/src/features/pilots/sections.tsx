import type { ReactNode } from 'react';
import { TabBar } from '#client/domain-ui/tab-bar.tsx';
import { useIsPhone } from '#client/lib/use-phone.ts';
import classes from './sections.module.css';

export interface Section {
  /** grid area, and value of the tab in the address */
  id: 'weekly' | 'levels' | 'standing' | 'upcoming' | 'windows' | 'previous';
  /** label of the tab */
  label: string;
  /** number beside the label; undefined when unknown or not countable */
  count: number | undefined;
  content: ReactNode;
}

interface SectionsProps {
  sections: readonly Section[];
  /** tab shown on a phone; an unknown one selects the first */
  tab: string | undefined;
  onTab: (tab: string) => void;
}

/** Sections of a page: side by side on a wide screen, tabs on a phone. */
export function Sections({ sections, tab, onTab }: SectionsProps) {
  const isPhone = useIsPhone();
  if (isPhone) {
    return (
      <TabBar
        label="Parts of this page"
        loose
        value={sections.find(({ id }) => id === tab)?.id ?? 'weekly'}
        onChange={onTab}
        tabs={sections.map(({ id, label, count, content }) => ({
          value: id,
          label: <Counted label={label} count={count} />,
          panel: () => content,
        }))}
      />
    );
  }
  return (
    <div className={classes.grid} data-settle="always">
      {sections.map(({ id, content }) => (
        <div key={id} className={classes.cell} style={{ gridArea: id }}>
          {content}
        </div>
      ))}
    </div>
  );
}

function Counted({ label, count }: Pick<Section, 'label' | 'count'>) {
  return (
    <>
      {label}
      {count !== undefined && <span className={classes.count}>{count}</span>}
    </>
  );
}
