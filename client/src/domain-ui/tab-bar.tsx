import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './tab-bar.module.css';

export interface Tab<Value extends string> {
  value: Value;
  label: ReactNode;
  /** what the tab shows */
  panel: () => ReactNode;
}

interface TabBarProps<Value extends string> {
  /** what the tabs are parts of; the accessible name */
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** the panels bring boxes of their own, and the tabs may take two lines on a phone */
  loose?: boolean;
}

/** Mantine's tabs in our looks; only the panel of the picked one is rendered. */
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
