import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { IconButton } from './icon-button.tsx';

/** Button that switches between day and night colours; this browser remembers the choice. */
export function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const next = scheme === 'dark' ? 'light' : 'dark';
  const label = next === 'light' ? 'Switch to day colours' : 'Switch to night colours';
  const Icon = next === 'light' ? IconSun : IconMoon;
  return (
    <IconButton label={label} onClick={() => setColorScheme(next)}>
      <Icon size={20} aria-hidden="true" />
    </IconButton>
  );
}
