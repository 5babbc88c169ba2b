/** The map of the admin pages: the rail beside them, its drawer, and the palette show these places. */
import { linkOptions as page, type LinkProps } from '@tanstack/react-router';

export type PageLink = Omit<LinkProps, 'children'>;

export interface AdminPlace {
  label: string;
  /** other words people type for it in the palette */
  keywords: string;
  /** a page of the client, or the path of a page that the server renders */
  link: PageLink | `/api/${string}`;
  /** route of a page that belongs to the place, although its address is elsewhere */
  also?: string;
}

interface AdminGroup {
  title: 'Plan' | 'People' | 'Connect' | 'System';
  places: AdminPlace[];
}

/** @param today where the link to the missions of a day leads, YYYY-MM-DD */
export function adminMap(today: string): AdminGroup[] {
  return [
    {
      title: 'Plan',
      places: [
        { label: 'Board', keywords: 'operations dashboard ops console', link: page({ to: '/admin' }) },
        {
          label: 'Missions by day',
          keywords: 'mission details date today',
          link: page({ to: '/admin/missions/$date', params: { date: today } }),
          also: '/admin/missions/board/$missionId',
        },
        { label: 'Create Mission', keywords: 'new', link: page({ to: '/admin/missions' }) },
        { label: 'Series', keywords: 'repeat weekly', link: page({ to: '/admin/series' }) },
        { label: 'Templates', keywords: 'starters', link: page({ to: '/admin/series', hash: 'templates' }) },
        { label: 'Aircraft', keywords: 'types catalogue modules mods planes', link: page({ to: '/admin/aircraft' }) },
      ],
    },
    {
      title: 'People',
      places: [
        { label: 'Pilots', keywords: 'manage users accounts roles', link: page({ to: '/admin/users' }) },
        { label: 'Invites', keywords: 'join link register', link: page({ to: '/admin/invites' }) },
        {
          label: 'Requests',
          keywords: 'waiting visitors approve approval',
          link: page({ to: '/admin/invites', hash: 'requests' }),
        },
        { label: 'Bans', keywords: 'banned people', link: page({ to: '/admin/users', search: { list: 'bans' } }) },
        { label: 'Import', keywords: 'pilots csv spreadsheet add users', link: page({ to: '/admin/users/import' }) },
      ],
    },
    {
      title: 'Connect',
      places: [
        { label: 'Discord', keywords: 'guilds servers bot', link: page({ to: '/admin/discord/guilds' }) },
        { label: 'Webhooks', keywords: 'events integrations', link: page({ to: '/admin/webhooks' }) },
        { label: 'API', keywords: 'reference docs rest scripts programs', link: '/api/v1/docs' },
      ],
    },
    {
      title: 'System',
      places: [
        {
          label: 'Settings',
          keywords: 'community name registration open approval',
          link: page({ to: '/admin/settings' }),
        },
        { label: 'Audit', keywords: 'log history who changed', link: page({ to: '/admin/audit' }) },
        { label: 'Backups', keywords: 'back up now restore database copy', link: page({ to: '/admin/backups' }) },
        {
          label: 'Email',
          keywords: 'mail smtp sent failed test',
          link: page({ to: '/admin/settings', hash: 'email' }),
        },
      ],
    },
  ];
}

const pathOf = (link: AdminPlace['link']): string => (typeof link === 'string' ? link : (link.to ?? ''));

/** True if the second path is the first or below it. */
const isWithin = (path: string, below: string): boolean => below === path || below.startsWith(`${path}/`);

interface OpenPage {
  /** path of the route, with the names of its parameters: `/admin/missions/$date` */
  route: string;
  search: Record<string, unknown>;
  hash: string;
}

/** The place of an open page: the one whose address says most of the page's own. */
export function placeOf(places: readonly AdminPlace[], open: OpenPage): AdminPlace | undefined {
  const points = ({ link, also }: AdminPlace): number => {
    if (also === open.route) return also.length;
    const path = pathOf(link);
    if (typeof link === 'string' || !isWithin(path, open.route)) return 0;
    const { hash = '', search = {} } = link as { hash?: string; search?: Record<string, unknown> };
    const isThere = Object.entries(search).every(([key, value]) => open.search[key] === value);
    if (!isThere || (hash !== '' && hash !== open.hash)) return 0;
    return path.length + Object.keys(search).length + (hash === '' ? 0 : 1);
  };
  const best = places.reduce((most, place) => Math.max(most, points(place)), 0);
  return best === 0 ? undefined : places.find((place) => points(place) === best);
}
