/** Commands of the palette: pages, pending orders, and actions. */
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { errorMessage } from '#client/lib/errors.ts';
import { showPalette } from '#client/lib/palette.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { isAdmin, isPilot, useViewer } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useSignOut } from '#client/lib/use-sign-out.ts';
import { fragLabel } from '#shared/labels.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';

export interface Command {
  id: string;
  group: 'Orders' | 'Pages' | 'Actions';
  label: string;
  /** other words people type for it */
  keywords: string;
  run: () => unknown;
}

/** Commands whose label or keywords contain every typed word, in any order. */
export function matchCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label, keywords }) => {
    const text = `${label} ${keywords}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const NO_ORDERS: readonly FragOrderDto[] = [];

/** Commands available to the viewer, pending orders first. */
export function useCommands(): Command[] {
  const viewer = useViewer();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const utils = trpc.useUtils();
  const flies = isPilot(viewer);
  const inbox = trpc.pilot.inbox.useQuery({}, { enabled: flies });
  const changeStatus = trpc.pilot.setStatus.useMutation({
    onSuccess: (status, { id }) => utils.pilot.status.setData({ id }, status),
    onError: (error) => showToast(errorMessage(error, screenCopy.statusFailed), { signal: 'red' }),
  });

  const action = (id: string, label: string, keywords: string, run: () => unknown): Command => ({
    id,
    group: 'Actions',
    label,
    keywords,
    run,
  });
  const page = (label: string, keywords: string, run: () => unknown): Command => ({
    id: `page ${label}`,
    group: 'Pages',
    label,
    keywords,
    run,
  });
  const next = scheme === 'dark' ? 'light' : 'dark';
  const common = [
    action('scheme', next === 'light' ? 'Switch to day colours' : 'Switch to night colours', 'theme dark light', () =>
      setColorScheme(next),
    ),
    action('keys', 'Show all keys', 'keyboard shortcuts help ?', () => showPalette('keys')),
  ];
  if (viewer === null) {
    return [
      page('Start page', 'landing', () => navigate({ to: '/' })),
      page('Sign In', 'login', () => navigate({ to: '/login' })),
      page('Register', 'account new', () => navigate({ to: '/register/account' })),
      page('Demo', 'try sample', () => navigate({ to: '/demo' })),
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
      run: () => navigate({ to: '/orders/$orderId', params: { orderId: order.id } }),
    })),
    page('Home', 'inbox status missions', () => navigate({ to: '/home' })),
    page('Availability', 'week schedule grid', () => navigate({ to: '/availability' })),
    page('Profile', 'call sign zone password sessions calendar notifications aircraft', () =>
      navigate({ to: '/profile' }),
    ),
    ...(isAdmin(viewer)
      ? [
          page('Admin dashboard', 'ops console', () => navigate({ to: '/admin' })),
          page('Create Mission', 'new admin', () => navigate({ to: '/admin/missions' })),
          page('Manage Users', 'pilots roles admin', () => navigate({ to: '/admin/users' })),
          page('Aircraft', 'types catalogue modules mods planes admin', () => navigate({ to: '/admin/aircraft' })),
          page('Invites', 'join link register approve waiting pilots admin', () => navigate({ to: '/admin/invites' })),
          page('Settings', 'community name registration open approval admin', () =>
            navigate({ to: '/admin/settings' }),
          ),
          page('Import Pilots', 'csv spreadsheet add users admin', () => navigate({ to: '/admin/users/import' })),
          page('Discord Guilds', 'servers bot admin', () => navigate({ to: '/admin/discord/guilds' })),
          page('Webhooks', 'events api integrations admin', () => navigate({ to: '/admin/webhooks' })),
          page('Audit Log', 'history who changed admin', () => navigate({ to: '/admin/audit' })),
        ]
      : []),
    page('Start page', 'landing', () => navigate({ to: '/' })),
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
