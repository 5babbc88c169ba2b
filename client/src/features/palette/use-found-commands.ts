/** Palette entries from the server: missions, pilots and Discord servers that match what is typed. */
import { useDebouncedValue } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { formatShortDate } from '#client/lib/time.ts';
import { isAdmin, isPilot, type Viewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { localDate } from '#shared/clock.ts';
import { POLL_MS } from '#shared/limits.ts';
import { matchCommands, type Command } from './commands.ts';

/** From this many characters on, pilots are searched for. */
const TYPED_MIN = 2;
const PILOTS_SHOWN = 6;
const TYPING_MS = 150;

interface Found {
  commands: Command[];
  /** true while more may be found */
  isSearching: boolean;
}

/** Entries for the typed text; none while the field is empty. Admins find everybody, pilots the crews they fly with. */
export function useFoundCommands(viewer: Viewer | null, typed: string): Found {
  const router = useRouter();
  const text = typed.trim();
  const [searched] = useDebouncedValue(text, TYPING_MS);
  const manages = isAdmin(viewer);
  const flies = isPilot(viewer);
  const zone = viewer?.timeZone ?? 'UTC';
  const hasText = text !== '';
  const kept = { staleTime: POLL_MS.inbox };
  const adminMissions = trpc.admin.missions.useQuery({ tz: zone }, { ...kept, enabled: manages && hasText });
  const pilotMissions = trpc.pilot.missions.list.useQuery({}, { ...kept, enabled: flies && !manages && hasText });
  const accepted = trpc.pilot.accepted.useQuery(undefined, { ...kept, enabled: flies && !manages && hasText });
  const guilds = trpc.discord.guilds.useQuery(undefined, { ...kept, enabled: manages && hasText });
  const users = trpc.admin.users.useQuery(
    { query: searched, pageSize: PILOTS_SHOWN },
    { ...kept, enabled: manages && searched.length >= TYPED_MIN },
  );
  if (!hasText) return { commands: [], isSearching: false };

  const orderHref = (orderId: string): string =>
    router.buildLocation({ to: '/orders/$orderId', params: { orderId } }).href;
  const missions = [
    ...(adminMissions.data ?? []).map(({ id, name, theater, startUtc }): Command => ({
      id: `mission ${id}`,
      group: 'Missions',
      label: `${name}, ${formatShortDate(startUtc, zone)}`,
      keywords: `${theater} mission`,
      href: router.buildLocation({
        to: '/admin/missions/$date',
        params: { date: localDate(startUtc, zone) },
        search: { mission: id },
      }).href,
    })),
    ...(pilotMissions.data ?? []).flatMap(({ name, theater, startUtc, mine }): Command[] =>
      mine === null || mine.rsvp === 'pending' // pending orders have their own group
        ? []
        : [
            {
              id: `mission ${mine.orderId}`,
              group: 'Missions',
              label: `${name}, ${formatShortDate(startUtc, zone)}`,
              keywords: `${theater} mission`,
              href: orderHref(mine.orderId),
            },
          ],
    ),
  ];
  const crews = (accepted.data ?? []).flatMap((order) =>
    order.package.composition
      .flatMap(({ pilots }) => pilots.filter((pilot) => pilot !== null))
      .filter((pilot) => pilot !== viewer?.displayName && pilot.toLowerCase().includes(text.toLowerCase()))
      .map((pilot): Command => ({
        id: `crew ${order.id} ${pilot}`,
        group: 'Pilots',
        label: `${pilot}, with you in ${order.missionName}`,
        keywords: '',
        href: orderHref(order.id),
      })),
  );
  const servers = (guilds.data ?? []).map(({ id, name }): Command => ({
    id: `server ${id}`,
    group: 'Servers',
    label: name,
    keywords: 'discord guild server',
    href: router.buildLocation({ to: '/admin/discord/guilds/$guildId', params: { guildId: id } }).href,
  }));
  // The server has matched these, by call sign or email.
  const pilots = (users.data?.users ?? []).map(({ id, displayName, email }): Command => ({
    id: `pilot ${id}`,
    group: 'Pilots',
    label: displayName === null || email === '' ? (displayName ?? email) : `${displayName}, ${email}`,
    keywords: '',
    href: router.buildLocation({ to: '/admin/users/$userId/availability', params: { userId: id } }).href,
  }));
  const isSettled = text.length < TYPED_MIN || text === searched;
  return {
    commands: [
      ...matchCommands(missions, text),
      ...(text === searched ? pilots : []),
      ...crews,
      ...matchCommands(servers, text),
    ],
    isSearching: manages && (!isSettled || [users, adminMissions, guilds].some(({ isLoading }) => isLoading)),
  };
}
