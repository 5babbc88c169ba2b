/** One interface for both browser drivers, with a user's actions: find by name, press, fill in, wait. */
import { vi } from 'vitest';
import type { Point, Tab } from './tab.ts';

const PATIENCE = { timeout: 15_000, interval: 50 };

/**
 * Retry until it succeeds, because pages take time.
 * @throws the last failure
 */
export const eventually = <Value>(attempt: () => Promise<Value>): Promise<Value> => vi.waitFor(attempt, PATIENCE);

/** Scroll the element to the middle of the window. @returns its middle, or why it cannot be pressed. Runs in the page. */
function reach(kind: 'press' | 'cell' | 'field', name: string): { x: number; y: number } | string {
  const said = (element: Element): string => {
    const copy = element.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
    return copy.textContent;
  };
  const words = (element: Element): string => (element.getAttribute('aria-label') ?? said(element)).trim();
  // a link to the open page, as in the admin pages' rail, is never what a user means to press
  const isIt = (element: Element): boolean =>
    words(element) === name && element.getClientRects().length > 0 && !element.matches('[aria-current=page]');
  const selectors = { press: 'button, a[href], [role=radio], label', cell: '[role=gridcell]', field: 'label' };
  const byLabel = kind === 'field' ? [...document.querySelectorAll('input, select, textarea')].find(isIt) : undefined;
  const found = byLabel ?? [...document.querySelectorAll(selectors[kind])].find(isIt);
  const element = found instanceof HTMLLabelElement && kind === 'field' ? found.control : found;
  if (!(element instanceof HTMLElement)) return 'is not there';
  if (element.matches(':disabled')) return 'is disabled';
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  if (kind === 'field') element.focus();
  const { x, y, width, height } = element.getBoundingClientRect();
  const middle = { x: x + width / 2, y: y + height / 2 };
  if (kind === 'field') return element === document.activeElement ? middle : 'takes no focus';
  const top = document.elementFromPoint(middle.x, middle.y);
  return element.contains(top) ? middle : `is covered by ${top?.outerHTML.slice(0, 200)}`;
}

/** Wait until the element stops moving, since loading data moves the content. */
async function find(tab: Tab, kind: 'press' | 'cell' | 'field', name: string): Promise<Point> {
  let before: Point = { x: NaN, y: NaN };
  return eventually(async () => {
    const place = await tab.ask(reach, kind, name);
    if (typeof place === 'string') throw new Error(`"${name}" ${place}`);
    const isStill = place.x === before.x && place.y === before.y;
    before = place;
    if (!isStill) throw new Error(`"${name}" moves`);
    return place;
  });
}

/** Press a button, link or option. */
export async function press(tab: Tab, name: string): Promise<void> {
  await tab.draw([await find(tab, 'press', name)]);
}

/** Draw in the grid of a week from one cell to another; both fit into the window. */
export async function paint(tab: Tab, from: string, to: string): Promise<void> {
  const start = await find(tab, 'cell', from);
  const end = await tab.ask(placeOf, to);
  if (end === null) throw new Error(`"${to}" is not there`);
  await tab.draw([start, end]);
}

/** The current middle of a cell. Runs in the page. */
function placeOf(name: string): { x: number; y: number } | null {
  const cell = [...document.querySelectorAll('[role=gridcell]')].find((one) => one.getAttribute('aria-label') === name);
  const box = cell?.getBoundingClientRect();
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
}

/** Type into a field like a user who reached it by Tab. */
export async function fill(tab: Tab, label: string, text: string): Promise<void> {
  await find(tab, 'field', label);
  await tab.type(text);
}

/** Choose an option of a list by its text. */
export async function choose(tab: Tab, label: string, option: string): Promise<void> {
  await find(tab, 'field', label);
  await eventually(async () => {
    const isChosen = await tab.ask((wanted) => {
      const list = document.activeElement;
      if (!(list instanceof HTMLSelectElement)) return false;
      const found = [...list.options].find(({ text, value }) => text.startsWith(wanted) || value === wanted);
      if (!found) return false;
      list.selectedIndex = found.index;
      list.dispatchEvent(new Event('input', { bubbles: true }));
      list.dispatchEvent(new Event('change', { bubbles: true }));
      return true;
    }, option);
    if (!isChosen) throw new Error(`"${label}" has no "${option}"`);
  });
}

/** Wait until the page says this somewhere. */
export async function see(tab: Tab, text: string): Promise<void> {
  await eventually(async () => {
    const shown = await tab.ask(() => document.body.textContent);
    if (!shown.includes(text)) throw new Error(`"${text}" is not on the page, which says: ${shown.slice(0, 1500)}`);
  });
}

/** Wait until the page is at this path. */
export async function arrive(tab: Tab, path: string): Promise<void> {
  await eventually(async () => {
    const at = await tab.ask(() => location.pathname);
    if (at !== path) throw new Error(`stands at ${at}, not at ${path}`);
  });
}
