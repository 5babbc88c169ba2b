/** Search parameters of a Discord server's page. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { TableSort } from '#client/lib/table-sort.ts';

export const GUILD_TABS = ['members', 'channels', 'events'] as const;
export type GuildTab = (typeof GUILD_TABS)[number];

export const ROSTER_FILTERS = ['all', 'registered', 'unregistered'] as const;
export type RosterFilter = (typeof ROSTER_FILTERS)[number];

const ROSTER_SORTS = ['name', 'registered', 'optIn', 'joined', 'updated'] as const;

/** Unparsed search parameters, such as `sort=-joined`; defaults are left out. */
export interface GuildSearch {
  tab?: unknown;
  query?: unknown;
  show?: unknown;
  sort?: unknown;
  page?: unknown;
}

export interface GuildView {
  tab: GuildTab;
  /** search text of the roster */
  query: string;
  show: RosterFilter;
  sort: TableSort;
  /** from 1 */
  page: number;
}

const BY_NAME: TableSort = { column: 'name', direction: 'asc' };

function readSort(value: unknown): TableSort {
  const text = typeof value === 'string' ? value : '';
  const column = ROSTER_SORTS.find((known) => text === known || text === `-${known}`);
  return column === undefined ? BY_NAME : { column, direction: text.startsWith('-') ? 'desc' : 'asc' };
}

/** Parses search parameters; invalid ones get their defaults. The router parses digits as a number. */
export function readGuildSearch({ tab, query, show, sort, page }: GuildSearch): GuildView {
  return {
    tab: GUILD_TABS.find((known) => known === tab) ?? 'members',
    query: typeof query === 'string' || typeof query === 'number' ? String(query) : '',
    show: ROSTER_FILTERS.find((known) => known === show) ?? 'all',
    sort: readSort(sort),
    page: typeof page === 'number' && Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Search parameters of a view, without defaults. */
export function writeGuildSearch({ tab, query, show, sort, page }: GuildView): GuildSearch {
  const isUsualSort = sort.column === BY_NAME.column && sort.direction === BY_NAME.direction;
  return {
    tab: tab === 'members' ? undefined : tab,
    query: query === '' ? undefined : query,
    show: show === 'all' ? undefined : show,
    sort: isUsualSort ? undefined : `${sort.direction === 'desc' ? '-' : ''}${sort.column}`,
    page: page === 1 ? undefined : page,
  };
}

interface GuildViewState {
  guildId: string;
  view: GuildView;
  /** @param options.replace replaces the history entry, as for each letter of a search */
  setView: (change: Partial<GuildView>, options?: { replace?: boolean }) => void;
}

/** Server id and view from the address, and the setter of the view. */
export function useGuildView(): GuildViewState {
  const from = '/_signed-in/admin/discord/guilds/$guildId';
  const { guildId } = useParams({ from });
  const view = readGuildSearch(useSearch({ from }));
  const navigate = useNavigate({ from: '/admin/discord/guilds/$guildId' });
  return {
    guildId,
    view,
    setView: (change, { replace = false } = {}) =>
      void navigate({
        // merged into the current address, because the rendered view may be older
        search: (old) => writeGuildSearch({ ...readGuildSearch(old), ...change }),
        replace,
        resetScroll: false,
      }),
  };
}
