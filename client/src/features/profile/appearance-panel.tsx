import { useComputedColorScheme, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { Panel } from '#client/components/panel.tsx';
import { Segmented, type Segment } from '#client/components/segmented.tsx';
import classes from './appearance-panel.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

const SCHEMES: readonly Segment<MantineColorScheme>[] = [
  {
    value: 'auto',
    label: (
      <>
        <IconDeviceDesktop {...ICON} />
        System
      </>
    ),
  },
  {
    value: 'dark',
    label: (
      <>
        <IconMoon {...ICON} />
        Night
      </>
    ),
  },
  {
    value: 'light',
    label: (
      <>
        <IconSun {...ICON} />
        Day
      </>
    ),
  },
];

/** Panel that chooses the colour scheme; applies at once and is stored in this browser. */
export function AppearancePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  return (
    <Panel anchor="appearance" title="Appearance">
      <Segmented label="Colours" segments={SCHEMES} value={colorScheme} onChange={setColorScheme} />
      <p className={classes.note}>
        {colorScheme === 'auto' && `System follows this device: now ${shown === 'dark' ? 'Night' : 'Day'}. `}
        Saved in this browser.
      </p>
    </Panel>
  );
}
