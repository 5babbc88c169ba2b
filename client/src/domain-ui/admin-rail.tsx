import { Button } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { useLinkProps, useRouterState } from '@tanstack/react-router';
import { useId, useRef, type ReactNode } from 'react';
import { adminMap, placeOf, type PageLink } from '#client/lib/admin-map.ts';
import type { Viewer } from '#client/lib/session.ts';
import { useNow } from '#client/lib/use-now.ts';
import { localDate } from '#shared/clock.ts';
import places from '#client/theme/places.module.css';
import classes from './admin-rail.module.css';

/**
 * The places of the admin pages: a column beside wide pages, and a drawer that a button opens on others. One native popover
 * is both, so that there is one list of links; the browser handles Esc, the backdrop and the focus.
 */
export function AdminRail({ viewer }: { viewer: Viewer }) {
  const id = useId();
  const rail = useRef<HTMLElement>(null);
  const groups = adminMap(localDate(useNow(), viewer.timeZone));
  const current = useRouterState({
    select: ({ matches, resolvedLocation, location }) => {
      const { search, hash } = resolvedLocation ?? location;
      const route = matches.at(-1)?.fullPath.replace(/\/$/, '') ?? '';
      const all = groups.flatMap((group) => group.places);
      return placeOf(all, { route, search, hash })?.label;
    },
  });
  return (
    <>
      <Button
        variant="default"
        className={classes.opener}
        popoverTarget={id}
        leftSection={<IconMenu2 size={18} aria-hidden="true" />}
      >
        Admin
      </Button>
      <nav ref={rail} id={id} popover="auto" aria-label="Admin pages" className={classes.rail}>
        {groups.map(({ title, places: links }) => (
          <div key={title} role="group" aria-labelledby={`${id}${title}`} className={classes.group}>
            <p id={`${id}${title}`} className={classes.title}>
              {title}
            </p>
            {links.map(({ label, link }) =>
              typeof link === 'string' ? (
                <a key={label} href={link} className={`${places.place} ${classes.link}`}>
                  {label}
                </a>
              ) : (
                <PlaceLink
                  key={label}
                  link={link}
                  isCurrent={label === current}
                  onClick={() => rail.current?.hidePopover()}
                >
                  {label}
                </PlaceLink>
              ),
            )}
          </div>
        ))}
      </nav>
    </>
  );
}

interface PlaceLinkProps {
  link: PageLink;
  isCurrent: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** Link that sets `aria-current` itself: the router's link would mark several places on one page as current. */
function PlaceLink({ link, isCurrent, onClick, children }: PlaceLinkProps) {
  const props = useLinkProps({ ...link, onClick });
  return (
    <a {...props} className={`${places.place} ${classes.link}`} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  );
}
