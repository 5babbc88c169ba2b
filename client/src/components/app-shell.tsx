import { Link, useRouterState } from '@tanstack/react-router';
import { IconCalendarWeek, IconDots, IconHome, IconRadar, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { showPalette } from '#client/lib/palette.ts';
import { isAdmin, useAskedViewer, viewerName } from '#client/lib/session.ts';
import { usePendingCount } from '#client/lib/use-pending-count.ts';
import { ACCOUNT_MENU_ID, AccountMenu } from './account-menu.tsx';
import { Mark } from './marks.tsx';
import { PendingMark } from './pending-mark.tsx';
import { SchemeToggle } from './scheme-toggle.tsx';
import { ZuluClock } from './zulu-clock.tsx';
import classes from './app-shell.module.css';

/** The front page's sections in the header: id and name. */
const ANCHORS = [
  ['how-it-works', 'how it works'],
  ['scenarios', 'scenarios'],
  ['features', 'features'],
  ['pick-your-slot', 'pick your slot'],
] as const;

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/** Comes after the page; without it the page is as good as before, only less talkative. */
const OfflineBanner = lazy<ComponentType>(() =>
  import('./offline-banner.tsx').then(
    (module) => ({ default: module.OfflineBanner }),
    () => ({ default: () => null }),
  ),
);

/** Everything around a page: skip link, header, main, and the bar at the bottom of a phone. */
export function AppShell({ children }: { children: ReactNode }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isLanding = path === '/';
  const isDemo = /^\/demo(\/|$)/.test(path);
  // The demo makes no call to the server, not even these.
  const viewer = useAskedViewer(!isDemo);
  const withBar = viewer !== null && !isLanding;
  const pending = usePendingCount(withBar && !isDemo ? viewer : null);
  return (
    <div className={classes.shell} data-with-bar={withBar || undefined}>
      <a
        href="#main"
        className={classes.skip}
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>('#main')?.focus();
        }}
      >
        Skip to content
      </a>
      <header className={classes.header}>
        <div className={classes.bar}>
          <Link
            to="/"
            className={classes.wordmark}
            aria-label="Marshal, start page"
            // The landing page asks who is here as soon as it is preloaded.
            preload={isDemo ? false : 'intent'}
          >
            <Mark shape="diamond" size={18} />
            MARSHAL
          </Link>
          {withBar && (
            <nav className={classes.links} aria-label="Main">
              <Link to="/home" className={classes.link}>
                Home
                <PendingMark count={pending} />
              </Link>
              <Link to="/availability" className={classes.link}>
                Availability
              </Link>
              {isAdmin(viewer) && (
                <Link to="/admin" className={classes.link}>
                  Admin
                </Link>
              )}
            </nav>
          )}
          {isLanding && (
            <nav className={classes.anchors} aria-label="On this page">
              {ANCHORS.map(([id, name]) => (
                <a key={id} href={`#${id}`}>
                  {name}
                </a>
              ))}
            </nav>
          )}
          <div className={classes.tools} data-landing={isLanding || undefined}>
            <ZuluClock />
            {!isLanding && (
              <button
                type="button"
                className={classes.search}
                aria-label="Go to a page, an order or an action"
                aria-keyshortcuts="Control+K Meta+K"
                onClick={() => showPalette('commands')}
              >
                <IconSearch size={18} stroke={1.75} aria-hidden="true" />
                <kbd>Ctrl K</kbd>
              </button>
            )}
            <SchemeToggle />
            {withBar && (
              <button type="button" className={classes.account} popoverTarget={ACCOUNT_MENU_ID}>
                {viewerName(viewer)}
              </button>
            )}
            {isLanding && (
              <Link to={viewer === null ? '/login' : '/home'} className={classes.enter}>
                {viewer === null ? 'Login →' : 'Go to Dashboard →'}
              </Link>
            )}
          </div>
        </div>
      </header>
      <Suspense>
        <OfflineBanner />
      </Suspense>
      {viewer !== null && <AccountMenu viewer={viewer} />}
      <main id="main" tabIndex={-1} className={isLanding ? undefined : classes.main}>
        {children}
      </main>
      {withBar && (
        <nav className={classes.tabs} aria-label="Main, bottom">
          <Link to="/home" className={classes.tab}>
            <IconHome {...ICON} />
            <span>
              Home
              <PendingMark count={pending} />
            </span>
          </Link>
          <Link to="/availability" className={classes.tab}>
            <IconCalendarWeek {...ICON} />
            Availability
          </Link>
          {isAdmin(viewer) && (
            <Link to="/admin" className={classes.tab}>
              <IconRadar {...ICON} />
              Ops
            </Link>
          )}
          <button type="button" className={classes.tab} popoverTarget={ACCOUNT_MENU_ID}>
            <IconDots {...ICON} />
            More
          </button>
        </nav>
      )}
    </div>
  );
}
