import { Link } from '@tanstack/react-router';
import { IconCalendarWeek, IconDots, IconHome, IconPlaneTilt, IconRadar, IconSearch } from '@tabler/icons-react';
import { showPalette } from '#client/lib/palette.ts';
import { isAdmin, isPilot, viewerName, type Viewer } from '#client/lib/session.ts';
import { usePendingCount } from '#client/lib/use-pending-count.ts';
import { ACCOUNT_MENU_ID, AccountMenu } from './account-menu.tsx';
import { PendingMark } from '#client/components/pending-mark.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import classes from './app-shell.module.css';

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

interface BarProps {
  viewer: Viewer;
  /** false on pages without calls to the server */
  isAsking: boolean;
}

/** Page links in the header. */
export function MainLinks({ viewer, isAsking }: BarProps) {
  const pending = usePendingCount(isAsking ? viewer : null);
  return (
    <nav className={classes.links} aria-label="Main">
      <Link to="/home" className={classes.link}>
        Home
        <PendingMark count={pending} />
      </Link>
      {isPilot(viewer) && (
        <Link to="/missions" className={classes.link}>
          Missions
        </Link>
      )}
      <Link to="/availability" className={classes.link}>
        Availability
      </Link>
      {isAdmin(viewer) && (
        <Link to="/admin" className={classes.link}>
          Admin
        </Link>
      )}
    </nav>
  );
}

/** Button that opens the command palette (Ctrl-K). */
export function SearchButton() {
  return (
    <button
      type="button"
      className={classes.search}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => showPalette('commands')}
    >
      <IconSearch size={18} aria-hidden="true" />
      <VisuallyHidden>Go to a page, an order or an action</VisuallyHidden> <kbd>Ctrl K</kbd>
    </button>
  );
}

/** Button with the viewer's name, and the account menu that it opens. */
export function Account({ viewer }: { viewer: Viewer }) {
  return (
    <>
      <button type="button" className={classes.account} popoverTarget={ACCOUNT_MENU_ID}>
        {viewerName(viewer)}
      </button>
      <AccountMenu viewer={viewer} />
    </>
  );
}

/** Page links in the bottom bar of a phone; More opens the account menu. */
export function BottomBar({ viewer, isAsking }: BarProps) {
  const pending = usePendingCount(isAsking ? viewer : null);
  return (
    <nav className={classes.tabs} aria-label="Main, bottom">
      <Link to="/home" className={classes.tab}>
        <IconHome {...ICON} />
        <span>
          Home
          <PendingMark count={pending} />
        </span>
      </Link>
      {isPilot(viewer) && (
        <Link to="/missions" className={classes.tab}>
          <IconPlaneTilt {...ICON} />
          Missions
        </Link>
      )}
      <Link to="/availability" className={classes.tab}>
        <IconCalendarWeek {...ICON} />
        Availability
      </Link>
      {isAdmin(viewer) && (
        <Link to="/admin" className={classes.tab}>
          <IconRadar {...ICON} />
          Admin
        </Link>
      )}
      <button type="button" className={classes.tab} popoverTarget={ACCOUNT_MENU_ID}>
        <IconDots {...ICON} />
        More
      </button>
    </nav>
  );
}
