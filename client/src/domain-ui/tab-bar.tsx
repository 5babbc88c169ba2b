import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
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

/** Tabs and the panel of the one that is picked: arrows, Home and End move between them, Tab goes on into the panel. */
export function TabBar<Value extends string>({ label, tabs, value, onChange, loose = false }: TabBarProps<Value>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const index = tabs.findIndex((tab) => tab.value === value);

  const moveTo = (target: number): void => {
    const tab = tabs.at(target % tabs.length);
    if (tab) {
      onChange(tab.value);
      list.current?.querySelector<HTMLElement>(`[data-tab="${tab.value}"]`)?.focus();
    }
  };
  const moveByKey = (event: KeyboardEvent): void => {
    const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      moveTo(target);
    }
  };

  return (
    <div className={classes.tabs} data-loose={loose || undefined}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tab in it has the focus */}
      <div ref={list} role="tablist" aria-label={label} className={classes.list} onKeyDown={moveByKey}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            data-tab={tab.value}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            className={classes.tab}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className={classes.panel}>
        {tabs[index]?.panel()}
      </div>
    </div>
  );
}
