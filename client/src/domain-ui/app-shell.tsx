import { Link, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { isAdmin, useAskedViewer } from '#client/lib/session.ts';
import { Mark } from '#client/components/marks.tsx';
import { SchemeToggle } from '#client/components/scheme-toggle.tsx';
import { ZuluClock } from './zulu-clock.tsx';
import classes from './app-shell.module.css';

/** Links in the header to the front page's sections: id and name. */
const ANCHORS = [
  ['how-it-works', 'how it works'],
  ['scenarios', 'scenarios'],
  ['features', 'features'],
  ['pick-your-slot', 'pick your slot'],
] as const;

/** Parts for signed-in people only, so that visitors do not have to load them. */
const loadCrew = () => import('./crew-bars.tsx');
const MainLinks = lazyPart(loadCrew, (part) => part.MainLinks);
const SearchButton = lazyPart(loadCrew, (part) => part.SearchButton);
const Account = lazyPart(loadCrew, (part) => part.Account);
const BottomBar = lazyPart(loadCrew, (part) => part.BottomBar);

const AdminRail = lazyPart(
  () => import('./admin-rail.tsx'),
  (part) => part.AdminRail,
);

/** Loads after the page; if that fails, the page works without it. */
const OfflineBanner = lazy<ComponentType>(() =>
  import('./offline-banner.tsx').then(
    (module) => ({ default: module.OfflineBanner }),
    () => ({ default: () => null }),
  ),
);

/** Frame around every page: skip link, header, main, and the bottom bar on phones. */
export function AppShell({ children }: { children: ReactNode }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isLanding = path === '/';
  const isDemo = /^\/demo(\/|$)/.test(path);
  // The demo makes no calls to the server.
  const viewer = useAskedViewer(!isDemo);
  const withBar = viewer !== null && !isLanding;
  // the wizard has one way on, and its own bar at the bottom
  const withTabs = withBar && !path.startsWith('/register/');
  // the page that is shown: while the next one loads, this one keeps its width
  const isAdminPage = useRouterState({
    select: ({ location, resolvedLocation }) => /^\/admin(\/|$)/.test((resolvedLocation ?? location).pathname),
  });
  return (
    <div className={classes.shell} data-with-tabs={withTabs || undefined} data-admin={isAdminPage || undefined}>
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
            // Preloading the landing page fetches the viewer, and the demo makes no calls.
            preload={isDemo ? false : 'intent'}
          >
            <Mark shape="diamond" size={18} />
            MARSHAL
          </Link>
          <Suspense>{withBar && <MainLinks viewer={viewer} isAsking={!isDemo} />}</Suspense>
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
            <Suspense>{withBar && <SearchButton />}</Suspense>
            <SchemeToggle />
            <Suspense>{withBar && <Account viewer={viewer} />}</Suspense>
            {isLanding && viewer === null && (
              <Link to="/register/account" className={classes.join}>
                Join
              </Link>
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
      <div className={classes.body}>
        {isAdminPage && (
          // there before the rail is, whose place it keeps
          <div className={classes.side}>
            <Suspense>{isAdmin(viewer) && viewer !== null && <AdminRail viewer={viewer} />}</Suspense>
          </div>
        )}
        <main id="main" tabIndex={-1} className={isLanding ? undefined : classes.main}>
          {children}
        </main>
      </div>
      <Suspense>{withTabs && <BottomBar viewer={viewer} isAsking={!isDemo} />}</Suspense>
    </div>
  );
}
