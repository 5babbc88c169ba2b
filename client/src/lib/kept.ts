/**
 * Answers and weeks that are kept on this device until they can be sent, and those that were refused then. Each is an item of
 * local storage under the id of its account: no other account of this browser sees or sends it, and all tabs know it.
 */
import { useSyncExternalStore } from 'react';
import type { SlotInput } from '#shared/schemas/availability.ts';
import type { Rsvp, RsvpResponse } from '#shared/vocabulary.ts';
import type { Failure } from './failure.ts';

/** Time limit of a call whose input can be kept: after it, a network that says nothing counts as none. */
export const ANSWER_MS = 10_000;

const PREFIX = 'marshal-kept ';

interface Waiting {
  /** its Idempotency-Key, the same in each attempt */
  key: string;
  /** why it was refused; it stays until its pilot has read that */
  refused?: Failure;
}

export interface KeptAnswer extends Waiting {
  orderId: string;
  /** `FRAG-012 Op Name` */
  name: string;
  response: RsvpResponse;
  /** the answer as its pilot reads it */
  word: string;
  /** `changedAt` of the order that the pilot saw */
  seen: string | null;
  /** what the order may say when this is sent: what its pilot saw, then what replaced answers have made of it */
  from: readonly Rsvp[];
}

export interface KeptWeek extends Waiting {
  slots: readonly SlotInput[];
  /** of the week that the pilot changed; null if there was none */
  version: string | null;
  /** refused because the week was saved elsewhere: its page shows both */
  isConflict?: true;
}

export type Kept = KeptAnswer | KeptWeek;

const isAnswer = (kept: Kept): kept is KeptAnswer => 'orderId' in kept;

const placeOf = (userId: string, kept: Kept): string => `${PREFIX}${userId} ${isAnswer(kept) ? kept.orderId : 'week'}`;

/** The stored texts whose keys have this prefix, in the order of their keys; [] without storage. */
function readTexts(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .toSorted()
      .flatMap((key) => localStorage.getItem(key) ?? []);
  } catch {
    return [];
  }
}

function parse(text: string): Kept[] {
  try {
    return [JSON.parse(text) as Kept];
  } catch {
    return [];
  }
}

const listeners = new Set<() => void>();

function tellListeners(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // changes in other tabs
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** The last list of each account, because React compares lists by identity. */
const lists = new Map<string, { joined: string; kept: readonly Kept[] }>();

/** The answers and the week that this device keeps for an account. */
export function listKept(userId: string): readonly Kept[] {
  const texts = readTexts(`${PREFIX}${userId} `);
  const joined = texts.join('\n');
  let list = lists.get(userId);
  if (list?.joined !== joined) {
    list = { joined, kept: texts.flatMap(parse) };
    lists.set(userId, list);
  }
  return list.kept;
}

export function useKept(userId: string): readonly Kept[] {
  return useSyncExternalStore(subscribe, () => listKept(userId));
}

/** The number of things kept on this device, for whichever account. */
export function useKeptByAnyone(): number {
  return useSyncExternalStore(subscribe, () => readTexts(PREFIX).length);
}

export function findAnswer(all: readonly Kept[], orderId: string): KeptAnswer | undefined {
  return all.find((kept): kept is KeptAnswer => isAnswer(kept) && kept.orderId === orderId);
}

export function findWeek(all: readonly Kept[]): KeptWeek | undefined {
  return all.find((kept): kept is KeptWeek => !isAnswer(kept));
}

/**
 * Keeps an answer or a week; it takes the place of an earlier one for the same order, or of an earlier week.
 * @returns false where the browser stores nothing
 */
export function keep(userId: string, kept: Kept): boolean {
  try {
    localStorage.setItem(placeOf(userId, kept), JSON.stringify(kept));
  } catch {
    return false;
  }
  tellListeners();
  return true;
}

/** Removes what was kept, unless something else has taken its place. */
export function dropKept(userId: string, kept: Kept): void {
  if (!isStillKept(userId, kept)) return;
  localStorage.removeItem(placeOf(userId, kept));
  tellListeners();
}

/** False once it was taken back, or something else has taken its place. */
export function isStillKept(userId: string, { key }: Kept): boolean {
  return listKept(userId).some((one) => one.key === key);
}

/** Removes all that is kept for an account, which signs out. @returns how much of it waited to be sent */
export function forgetKept(userId: string): number {
  const all = listKept(userId);
  for (const kept of all) dropKept(userId, kept);
  return all.filter(({ refused }) => refused === undefined).length;
}
