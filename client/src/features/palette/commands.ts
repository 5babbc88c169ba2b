/** Commands of the palette that need no search: pages, settings, pending orders, and actions. */
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useRouter, type AnyRouter } from '@tanstack/react-router';
import { adminMap } from '#client/lib/admin-map.ts';
import { showPalette } from '#client/lib/palette.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { isAdmin, isPilot, useViewer } from '#client/lib/session.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { useSignOut } from '#client/lib/use-sign-out.ts';
import { localDate } from '#shared/clock.ts';
import { fragLabel } from '#shared/labels.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import {
  panelPath,
  panelsFor,
  SECTION_TITLES,
  sectionPath,
  sectionsFor,
  type ProfilePanel,
} from '#shared/profile-sections.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';

export interface Command {
  id: string;
  group: 'Recent' | 'Orders' | 'Missions' | 'Pilots' | 'Servers' | 'Pages' | 'Settings' | 'Actions';
  label: string;
  /** other words people type for it */
  keywords: string;
  /** where it leads */
  href?: string;
  /** what it does instead */
  run?: () => unknown;
}

/** Commands whose label or keywords contain every typed word, in any order. */
export function matchCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label, keywords }) => {
    const text = `${label} ${keywords}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Panels of the profile. */
const SETTINGS: Record<ProfilePanel, { label: string; keywords: string }> = {
  identity: { label: 'Call sign and time zone', keywords: 'name email' },
  discord: { label: 'Discord account', keywords: 'link' },
  appearance: { label: 'Appearance', keywords: 'theme dark light day night' },
  aircraft: { label: 'Aircraft I fly', keywords: 'level modules' },
  notifications: { label: 'Notify me about', keywords: 'notifications messages email reminders digest' },
  push: { label: 'Notifications on this device', keywords: 'push' },
  calendar: { label: 'Calendar link', keywords: 'ics feed subscribe' },
  'busy-calendars': { label: 'Busy calendars', keywords: 'calendar ics google outlook icloud times away' },
  password: { label: 'Password', keywords: 'change' },
  'two-step': { label: 'Two-step sign-in', keywords: '2fa passkey authenticator recovery codes remembered devices' },
  sessions: { label: 'Sessions', keywords: 'devices signed in' },
  'sign-ins': { label: 'Recent sign-ins', keywords: 'history refused attempts' },
  tokens: { label: 'Personal access tokens', keywords: 'api scripts' },
  data: { label: 'Your data', keywords: 'download json delete account' },
  reliability: { label: 'Reliability', keywords: 'track record fairness attendance no-shows flown' },
};

/** The sections of the profile and their panels. */
function settingsFor(isFlying: boolean): Command[] {
  const setting = (label: string, keywords: string, href: string): Command => ({
    id: `setting ${href}`,
    group: 'Settings',
    label,
    keywords: `${keywords} setting`,
    href,
  });
  return [
    ...sectionsFor(isFlying).map((section) => setting(`Profile: ${SECTION_TITLES[section]}`, '', sectionPath(section))),
    ...panelsFor(isFlying).map((panel) => setting(SETTINGS[panel].label, SETTINGS[panel].keywords, panelPath(panel))),
  ];
}

/** @param today in the viewer's zone, YYYY-MM-DD */
function adminPlaces(today: string, router: AnyRouter): Command[] {
  return adminMap(today)
    .flatMap(({ places }) => places)
    .map(({ label, keywords, link }): Command => {
      const named = { id: `admin ${label}`, group: 'Pages', label, keywords: `${keywords} admin` } as const;
      return typeof link === 'string'
        ? { ...named, run: () => location.assign(link) }
        : { ...named, href: router.buildLocation(link).href };
    });
}

const NO_ORDERS: readonly FragOrderDto[] = [];

/** Commands available to the viewer, pending orders first. */
export function useCommands(): Command[] {
  const viewer = useViewer();
  const router = useRouter();
  const now = useNow();
  const signOut = useSignOut();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const utils = trpc.useUtils();
  const flies = isPilot(viewer);
  const inbox = trpc.pilot.inbox.useQuery({}, { enabled: flies });
  const changeStatus = trpc.pilot.setStatus.useMutation({
    onSuccess: (status, { id }) => utils.pilot.status.setData({ id }, status),
    onError: (error) => showFailure(error, screenCopy.statusFailed),
  });

  const action = (id: string, label: string, keywords: string, run: () => unknown): Command => ({
    id,
    group: 'Actions',
    label,
    keywords,
    run,
  });
  const page = (label: string, keywords: string, href: string): Command => ({
    id: `page ${label}`,
    group: 'Pages',
    label,
    keywords,
    href,
  });
  const next = scheme === 'dark' ? 'light' : 'dark';
  const common = [
    action('scheme', next === 'light' ? 'Switch to day colours' : 'Switch to night colours', 'theme dark light', () =>
      setColorScheme(next),
    ),
    action('help', 'Help: keys and words', 'keyboard shortcuts glossary terms ?', () => showPalette('help')),
  ];
  if (viewer === null) {
    return [
      page('Start page', 'landing', '/'),
      page('Sign In', 'login', '/login'),
      page('Register', 'account new', '/register/account'),
      page('Demo', 'try sample', '/demo'),
      ...common,
    ];
  }

  const setStatus = (state: StatusState, minutes: number | null) => () =>
    changeStatus.mutate({ id: viewer.id, state, minutes });
  return [
    ...(flies ? (inbox.data ?? NO_ORDERS) : NO_ORDERS).map((order): Command => ({
      id: order.id,
      group: 'Orders',
      label: `${fragLabel(order.seq)} ${order.missionName}`,
      keywords: `${order.flightCallsign} ${order.aircraftName} ${order.role} frag order inbox`,
      href: `/orders/${order.id}`,
    })),
    page('Home', 'inbox status missions', '/home'),
    ...(flies ? [page('Missions', 'calendar month list plan briefing comm ladder', '/missions')] : []),
    page('Availability', 'week schedule grid', '/availability'),
    page('Profile', 'call sign zone password sessions calendar notifications aircraft', sectionPath('me')),
    ...(flies ? [page(SECTION_TITLES.record, 'track record fairness reliability', sectionPath('record'))] : []),
    ...(isAdmin(viewer) ? adminPlaces(localDate(now, viewer.timeZone), router) : []),
    page('Start page', 'landing', '/'),
    ...settingsFor(flies),
    ...(flies
      ? [
          action('idle', 'Status: Idle', 'available stoplight', setStatus('available', null)),
          action('dnd', 'Status: Do Not Disturb', 'dnd busy stoplight', setStatus('dnd', null)),
          action(
            'now',
            `Status: Find Flight for ${STATUS_MINUTES.initial} min`,
            'now available stoplight',
            setStatus('now', STATUS_MINUTES.initial),
          ),
        ]
      : []),
    ...common,
    action('logout', 'Logout', 'sign out', signOut),
  ];
}
