import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import { Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useRef, useState, type ReactNode } from 'react';
import classes from './action-menu.module.css';

interface ActionMenuProps {
  /** accessible name of the button and the menu, e.g. `Actions for Maverick` */
  label: string;
  /** id of the button, so that other parts can focus it */
  id?: string;
  /** `MenuItem`s */
  children: ReactNode;
}

/** One action or link of an `ActionMenu`: Mantine's item, with a `leftSection` for its icon. */
export const MenuItem = Menu.Item;

/** Button with three dots that opens a menu of actions: Mantine's menu, which ArrowDown also opens and Tab closes. */
export function ActionMenu({ label, id, children }: ActionMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <Menu
      id={id}
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      offset={4}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      // Mantine's focus trap focuses the first item that Tab can reach.
      menuItemTabIndex={0}
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: classes.menu, item: classes.item }}
    >
      <Menu.Target>
        <button
          ref={button}
          type="button"
          className={classes.button}
          aria-label={label}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') {
              event.preventDefault();
              setOpen(true);
            }
            // Mantine's menu hears it only once the focus has moved there.
            if (event.key === 'Escape') setOpen(false);
          }}
        >
          <IconDots size={18} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown
        // Runs before the item's handler, so that a dialog it opens returns the focus to the button.
        onClickCapture={() => button.current?.focus()}
        onKeyDown={(event) => {
          if (event.key === 'Tab') {
            // Tab then continues from the button.
            button.current?.focus();
            setOpen(false);
          }
        }}
      >
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
