/** Recent choices of the command palette, kept on this device for the account that made them, until it signs out. */
import { RECENT_COMMANDS_KEY } from '#client/lib/palette.ts';
import { isAdmin, type Viewer } from '#client/lib/session.ts';
import type { Command } from './commands.ts';

const KEPT = 5;

/** A choice that leads to an address, so it can be made again without its search. */
interface RecentCommand {
  label: string;
  href: string;
}

interface Stored {
  viewerId: string;
  recent: RecentCommand[];
}

function isStored(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && 'viewerId' in value && 'recent' in value;
}

/** Newest first; none for another account, and no admin pages for a former admin. */
export function readRecent(viewer: Viewer): RecentCommand[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(RECENT_COMMANDS_KEY) ?? 'null');
    return isStored(stored) && stored.viewerId === viewer.id
      ? stored.recent.filter(({ href }) => isAdmin(viewer) || !href.startsWith('/admin'))
      : [];
  } catch {
    return [];
  }
}

/** Puts a choice first; without storage, nothing is remembered. */
export function rememberCommand(viewer: Viewer, { label, href }: Command): void {
  if (href === undefined) return;
  const recent = [{ label, href }, ...readRecent(viewer).filter((one) => one.href !== href)].slice(0, KEPT);
  try {
    localStorage.setItem(RECENT_COMMANDS_KEY, JSON.stringify({ viewerId: viewer.id, recent } satisfies Stored));
  } catch {
    // the palette works without recent choices
  }
}
