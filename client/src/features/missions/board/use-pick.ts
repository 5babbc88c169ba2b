/** Picking up and dropping by keys, by click and by touch: one press picks a pilot or a seat, the next one drops. */
import { useState, type KeyboardEvent } from 'react';
import type { Seat } from './stage.ts';

/** The pick: a pilot who looks for a seat, or an open seat that looks for a pilot. */
export type Pick = { userId: string } | { seat: Seat } | null;

const handlesIn = (part: Element | null): HTMLElement[] =>
  [...(part?.querySelectorAll<HTMLElement>('[data-handle]') ?? [])].filter((one) => one.offsetParent !== null);

/** Focuses what a seat's key or a pilot's id names, once it is drawn. */
export function focusHandle(id: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-handle="${CSS.escape(id)}"]`)?.focus());
}

/**
 * Moves the focus by arrow keys: up and down in a list, left and right between the seats and the bench. With a pilot picked
 * up it stays on the seats.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>, isCarrying: boolean): void {
  const from = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-handle]') : null;
  if (from === null || !event.key.startsWith('Arrow')) return;
  const parts = [...event.currentTarget.querySelectorAll('[data-part]')];
  const own = from.closest('[data-part]');
  const [seats = null, bench = null] = parts;
  const goesBack = event.key === 'ArrowUp' || event.key === 'ArrowLeft';
  const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
  let next: HTMLElement | undefined;
  if (isCarrying && own === bench) [next] = handlesIn(seats);
  else if (isSideways && !isCarrying) [next] = handlesIn(goesBack ? seats : bench);
  else {
    const list = handlesIn(own);
    next = list[list.indexOf(from) + (goesBack ? -1 : 1)];
  }
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

export function usePick() {
  const [pick, setPick] = useState<Pick>(null);
  /** for the live region; the same text twice is said twice */
  const [said, setSaid] = useState({ text: '', turn: 0 });
  return {
    pick,
    setPick,
    said,
    say: (text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })),
  };
}
