/**
 * The plan of an import: which account each row belongs to, and what would change. An account is found by the email, else
 * by the Discord id. Blank cells change nothing, aircraft are added and never removed, and emails of accounts stay.
 */
import type { WeeklySlot } from '#server/availability/rules/dated-windows.ts';
import type { PilotCells, PilotColumn } from '#shared/pilot-sheet.ts';
import { copy } from '#shared/copy.ts';
import type { ImportState, ProficiencyLevel } from '#shared/vocabulary.ts';
import type { AircraftNames } from './aircraft-names.ts';
import { readPilot, writeAircraft, type PilotWish } from './pilot-cells.ts';
import { writeWeek } from './week-cell.ts';

/** One row of the file. */
export interface SheetRow {
  /** as the spreadsheet counts, with the header as row 1 */
  row: number;
  cells: PilotCells;
  /** why the row cannot be read; null when it can */
  problem: string | null;
}

/** An account, as far as the spreadsheet has it. */
export interface SheetAccount {
  id: string;
  callSign: string | null;
  /** '' for an account without one */
  email: string;
  timeZone: string;
  isPilot: boolean;
  /** its owner has asked for its deletion */
  isLeaving: boolean;
  hasPassword: boolean;
  discordId: string | null;
  levels: ReadonlyMap<number, ProficiencyLevel>;
  /** slots of the active template */
  week: readonly WeeklySlot[];
}

export interface Change {
  column: PilotColumn;
  /** as the cell would be written; '' for nothing */
  from: string;
  to: string;
}

/** A row with what an import would do. */
export interface PlannedRow extends SheetRow {
  state: ImportState;
  /** null for a new pilot and for a bad row */
  account: SheetAccount | null;
  /** null for a bad row */
  wish: PilotWish | null;
  changes: Change[];
  /** importing the row lets somebody sign in to the account: it links a Discord account, or gives an account its email */
  givesAccess: boolean;
}

/** What rows are compared with. */
export interface SheetWorld {
  names: AircraftNames;
  /** by the key of the email */
  byEmail: ReadonlyMap<string, SheetAccount>;
  byDiscordId: ReadonlyMap<string, SheetAccount>;
  /** true for an email or a Discord id that is banned */
  isBanned: (identity: { email: string | null; discordId: string | null }) => boolean;
  /** the key under which an email is unique */
  keyOf: (email: string) => string;
}

const nameOf = ({ callSign, email }: SheetAccount): string => callSign ?? (email || 'another pilot');

/** The account of a row (null: a new one), or the sentence why the row cannot be imported. */
function findAccount(
  wish: PilotWish,
  { byEmail, byDiscordId, isBanned, keyOf }: SheetWorld,
): SheetAccount | null | string {
  const { email, discordId } = wish;
  if (isBanned(wish)) return 'This email or Discord id is banned. Lift the ban first.';
  const mailed = email === null ? undefined : byEmail.get(keyOf(email));
  const linked = discordId === null ? undefined : byDiscordId.get(discordId);
  const account = mailed ?? linked;
  if (!account) return null;
  if (account.isLeaving) return copy.deletionRequested;
  if (!account.isPilot) return `${nameOf(account)} is not an active pilot. Approve or restore the account first.`;
  if (mailed && linked && mailed.id !== linked.id) {
    return `This Discord id belongs to ${nameOf(linked)}, and the email to ${nameOf(mailed)}.`;
  }
  if (mailed && discordId !== null && mailed.discordId !== null && mailed.discordId !== discordId) {
    return `${nameOf(mailed)} is linked to another Discord account.`;
  }
  if (!mailed && email !== null && account.email !== '') {
    return `This Discord id belongs to ${nameOf(account)}, whose email is ${account.email}. An import changes no emails.`;
  }
  return account;
}

function listChanges(wish: PilotWish, account: SheetAccount | null, names: AircraftNames): Change[] {
  const changes: Change[] = [];
  const compare = (column: PilotColumn, from: string, to: string | null): void => {
    if (to !== null && to !== from) changes.push({ column, from, to });
  };
  compare('callSign', account?.callSign ?? '', wish.callSign);
  // an email that the account has differs in upper and lower case at most
  if (account === null || account.email === '') compare('email', '', wish.email);
  compare('timeZone', account?.timeZone ?? '', account ? wish.timeZone : (wish.timeZone ?? 'UTC'));
  const flown = (wish.aircraft ?? []).map(({ id, level }) => {
    const known = account?.levels.get(id);
    return { id, known, level: level ?? known ?? ('basic' as const) };
  });
  const changed = flown.filter(({ known, level }) => known !== level);
  const former = changed.flatMap(({ id, known }) => (known === undefined ? [] : [{ id, level: known }]));
  compare('aircraft', writeAircraft(former, names), writeAircraft(changed, names));
  if (wish.week !== null) {
    compare('weeklyTimes', writeWeek(account?.week ?? [], names), writeWeek(wish.week, names));
  }
  compare('discordId', account?.discordId ?? '', wish.discordId);
  return changes;
}

/** Rows of a file by their emails and Discord ids, to find one pilot's rows. */
function createDuplicateCheck(keyOf: SheetWorld['keyOf']) {
  const rows = new Map<string, number>();
  return ({ email, discordId }: PilotWish, account: SheetAccount | null, row: number): string | null => {
    const marks: [key: string, words: string][] = [];
    if (email !== null) marks.push([`email ${keyOf(email)}`, 'email']);
    if (discordId !== null) marks.push([`discord ${discordId}`, 'Discord id']);
    if (account !== null) marks.push([`account ${account.id}`, 'pilot']);
    const seen = marks.find(([key]) => rows.has(key));
    if (seen) return `Row ${rows.get(seen[0])} has the same ${seen[1]}.`;
    for (const [key] of marks) rows.set(key, row);
    return null;
  };
}

/** How a row lets somebody sign in to the account; null when it does not. The email of a new account is no way in yet. */
function findAccess(account: SheetAccount | null, changes: readonly Change[]): 'discordId' | 'email' | null {
  const changed = (column: PilotColumn) => changes.some((change) => change.column === column);
  if (changed('discordId')) return 'discordId';
  return account !== null && changed('email') ? 'email' : null;
}

const NOT_BY_TOKEN = {
  discordId:
    'An access token cannot link a Discord account. Please import this row on the site, or leave the cell blank.',
  email:
    'An access token cannot give an account its email. Please import this row on the site, or leave the cell blank.',
} as const;

/** Rows as an access token may import them: one that would let somebody sign in to the account is bad. */
export const asByToken = (rows: readonly PlannedRow[]): PlannedRow[] =>
  rows.map((row) => {
    const access = findAccess(row.account, row.changes);
    return access === null
      ? row
      : { ...row, state: 'bad', problem: NOT_BY_TOKEN[access], account: null, wish: null, changes: [] };
  });

/** What an import of these rows would do, row by row. */
export function planRows(rows: readonly SheetRow[], world: SheetWorld): PlannedRow[] {
  const findDuplicate = createDuplicateCheck(world.keyOf);
  return rows.map((row): PlannedRow => {
    const bad = (problem: string): PlannedRow => ({
      ...row,
      problem,
      state: 'bad',
      account: null,
      wish: null,
      changes: [],
      givesAccess: false,
    });
    if (row.problem !== null) return bad(row.problem);
    const wish = readPilot(row.cells, world.names);
    if ('problem' in wish) return bad(wish.problem);
    const account = findAccount(wish, world);
    if (typeof account === 'string') return bad(account);
    const duplicate = findDuplicate(wish, account, row.row);
    if (duplicate !== null) return bad(duplicate);
    const changes = listChanges(wish, account, world.names);
    const state = account === null ? 'create' : changes.length > 0 ? 'update' : 'unchanged';
    return { ...row, state, account, wish, changes, givesAccess: findAccess(account, changes) !== null };
  });
}
