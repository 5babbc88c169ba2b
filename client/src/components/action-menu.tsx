import { IconDots, type TablerIcon } from '@tabler/icons-react';
import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import classes from './action-menu.module.css';

/** Between the button and its menu, px. */
const GAP = 4;

interface ActionMenuProps {
  /** whose actions: name of the button and of the menu */
  label: string;
  /** id of the button, for whoever gives it the focus */
  id?: string;
  /** `MenuAction`s, and links with `role="menuitem"` and `menuItemClass` */
  children: ReactNode;
}

export const menuItemClass = classes.item ?? '';

/** Three dots and a menu behind them, by the browser's own popover: it closes by Esc and gives the focus back. */
export function ActionMenu({ label, id, children }: ActionMenuProps) {
  const menuId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  const place = useCallback((): void => {
    const box = button.current?.getBoundingClientRect();
    if (box && menu.current) {
      const { clientWidth, clientHeight } = document.documentElement;
      const isBelow = box.bottom < clientHeight * 0.6;
      // Under the button's end, or under its start where the page ends before the menu would.
      const isLeft = box.right < clientWidth / 2;
      menu.current.style.inset = [
        isBelow ? `${box.bottom + GAP}px` : 'auto',
        isLeft ? 'auto' : `${clientWidth - box.right}px`,
        isBelow ? 'auto' : `${clientHeight - box.top + GAP}px`,
        isLeft ? `${box.left}px` : 'auto',
      ].join(' ');
    }
  }, []);
  // It hangs on the button, where the page may move under it.
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
    };
  }, [isOpen, place]);
  const listItems = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  const moveFocus = (event: KeyboardEvent): void => {
    const items = listItems();
    const at = items.findIndex((item) => item === document.activeElement);
    const target = TARGETS[event.key]?.(at, items.length) ?? findByLetter(items, at, event);
    if (event.key === 'Tab') {
      menu.current?.hidePopover();
    } else if (target !== undefined) {
      event.preventDefault();
      items.at(target % items.length)?.focus();
    }
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        id={id}
        className={classes.button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={menuId}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            menu.current?.showPopover();
          }
        }}
      >
        <IconDots size={18} stroke={1.75} aria-hidden="true" />
      </button>
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={classes.menu}
        onKeyDown={moveFocus}
        onClick={() => menu.current?.hidePopover()}
        onBeforeToggle={({ newState }) => {
          place();
          setOpen(newState === 'open');
        }}
        onToggle={({ newState }) => {
          if (newState === 'open') {
            listItems()[0]?.focus({ preventScroll: true });
          }
        }}
      >
        {isOpen && children}
      </div>
    </>
  );
}

/** Where the focus goes by a key, from the item it is on. */
const TARGETS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at, count) => (at <= 0 ? count : at) - 1,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** The next item that begins with the letter that was pressed. */
function findByLetter(items: readonly HTMLElement[], at: number, event: KeyboardEvent): number | undefined {
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) {
    return undefined;
  }
  const order = items.map((_item, index) => (at + 1 + index) % items.length);
  return order.find((index) => items[index]?.textContent.toLowerCase().startsWith(event.key.toLowerCase()));
}

interface MenuActionProps {
  icon: TablerIcon;
  onSelect: () => void;
  children: ReactNode;
}

/** One thing to do; the menu has closed by then. */
export function MenuAction({ icon: Icon, onSelect, children }: MenuActionProps) {
  const select = (element: HTMLElement): void => {
    // First, so that what comes next finds the focus on the menu's button.
    element.closest<HTMLElement>('[popover]')?.hidePopover();
    onSelect();
  };
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={classes.item}
      onClick={({ currentTarget }) => select(currentTarget)}
    >
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      {children}
    </button>
  );
}
