import '@mantine/core/styles/Popover.css';
import { Popover } from '@mantine/core';
import classes from './term.module.css';

interface DefinitionProps {
  id: string;
  name: string;
  meaning: string;
}

/** The explanation of a `Term`, at the place where this is rendered. */
export function Definition({ id, name, meaning }: DefinitionProps) {
  return (
    <Popover
      opened
      width={280}
      position="top-start"
      withRoles={false}
      trapFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <span className={classes.anchor} />
      </Popover.Target>
      <Popover.Dropdown id={id} role="tooltip" className={classes.definition}>
        <strong>{name}</strong>: {meaning}
      </Popover.Dropdown>
    </Popover>
  );
}
