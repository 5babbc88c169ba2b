import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useInstall } from '#client/lib/install-offer.ts';
import { showPalette } from '#client/lib/palette.ts';
import { isPilot, viewerName, type Viewer } from '#client/lib/session.ts';
import { useSignOut } from '#client/lib/use-sign-out.ts';
import { SECTION_TITLES, sectionPath } from '#shared/profile-sections.ts';
import classes from './account-menu.module.css';

export const ACCOUNT_MENU_ID = 'account-menu';

/** Account menu, opened by the name in the header or by More on a phone. The native popover handles focus and Esc. */
export function AccountMenu({ viewer }: { viewer: Viewer }) {
  const menu = useRef<HTMLDivElement>(null);
  const signOut = useSignOut();
  const install = useInstall();
  const close = (): void => menu.current?.hidePopover();
  return (
    <div ref={menu} id={ACCOUNT_MENU_ID} popover="auto" className={classes.menu}>
      <p className={classes.who}>
        <strong>{viewerName(viewer)}</strong>
        {viewer.displayName !== null && <span>{viewer.email}</span>}
      </p>
      <nav aria-label="Account" className={classes.links}>
        <Link to={sectionPath('me')} onClick={close}>
          Profile
        </Link>
        {isPilot(viewer) && (
          <Link to={sectionPath('record')} onClick={close}>
            {SECTION_TITLES.record}
          </Link>
        )}
        <button
          type="button"
          onClick={() => {
            close();
            showPalette('help');
          }}
        >
          Help
        </button>
        {install !== null && (
          <button
            type="button"
            onClick={() => {
              close();
              install();
            }}
          >
            Install Marshal
          </button>
        )}
      </nav>
      <button
        type="button"
        className={classes.logout}
        onClick={() => {
          close();
          void signOut();
        }}
      >
        Logout
      </button>
    </div>
  );
}
