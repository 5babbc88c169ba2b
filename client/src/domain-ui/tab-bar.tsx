import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './tab-bar.module.css';

export interface Tab<Value extends string> {
  value: Value;
  label: ReactNode;
  /** renders the tab's contents */
  panel: () => ReactNode;
}

interface TabBarProps<Value extends string> {
  /** accessible name */
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** for panels with their own boxes; the tabs may wrap on a phone */
  loose?: boolean;
}

/** Tabs (Mantine's) in Marshal's style; only the active panel is rendered. */
export function TabBar<Value extends string>({ label, tabs, value, onChange, loose = false }: TabBarProps<Value>) {
  return (
    <Tabs
      className={classes.tabs}
      mod={{ loose }}
      value={value}
      onChange={(next) => {
        const tab = tabs.find((one) => one.value === next);
        if (tab) onChange(tab.value);
      }}
      unstyled
      classNames={{ list: classes.list, tab: classes.tab, tabLabel: classes.label, panel: classes.panel }}
    >
      <Tabs.List aria-label={label}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.value} value={tab.value}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={value}>{tabs.find((tab) => tab.value === value)?.panel()}</Tabs.Panel>
    </Tabs>
  );
}
