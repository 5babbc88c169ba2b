// Discord's markdown as elements: as much of it as messages of a bot use. Everything else stays text.
import { el } from './dom.js';

/** @typedef {{ people: ReadonlyMap<string, string>, channels: ReadonlyMap<string, string> }} Names */

const MINUTE_S = 60;
/** @type {readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[]} */
const UNITS = [
  [365 * 24 * 60 * MINUTE_S, 'year'],
  [30 * 24 * 60 * MINUTE_S, 'month'],
  [24 * 60 * MINUTE_S, 'day'],
  [60 * MINUTE_S, 'hour'],
  [MINUTE_S, 'minute'],
  [1, 'second'],
];

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const STYLES = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
};

/** One alternative for each thing that is more than its text; the first that fits wins. */
const INLINE =
  /\\(?<escaped>[^\sA-Za-z0-9])|<t:(?<seconds>-?\d{1,13})(?::(?<style>[tTdDfFR]))?>|<@!?(?<person>\d{5,20})>|<#(?<channel>\d{5,20})>|<\/(?<command>[\w -]{1,98}):\d{5,20}>|`(?<code>[^`\n]+)`|\*\*(?<bold>(?:\\.|[^\\])+?)\*\*|__(?<underlined>(?:\\.|[^\\])+?)__|~~(?<struck>(?:\\.|[^\\])+?)~~|\*(?<italic>(?:\\.|[^\\*\n])+?)\*|\[(?<label>(?:\\.|[^\\\]\n])+)\]\((?<target>https?:\/\/[^\s)]+)\)|<?(?<address>https?:\/\/[^\s<>]+)>?/;

/**
 * @param {string} text
 * @param {Names} names
 * @returns {Node[]}
 */
export function markdown(text, names) {
  return text.split('\n').flatMap((line, at) => {
    const small = /^-# (?<rest>.*)$/.exec(line)?.groups?.rest;
    const quoted = /^> (?<rest>.*)$/.exec(line)?.groups?.rest;
    const heading = /^#{1,3} (?<rest>.*)$/.exec(line)?.groups?.rest;
    if (small !== undefined) return [el('small', { class: 'line' }, ...inline(small, names))];
    if (quoted !== undefined) return [el('blockquote', {}, ...inline(quoted, names))];
    if (heading !== undefined) return [el('strong', { class: 'line' }, ...inline(heading, names))];
    return [...(at === 0 ? [] : [el('br')]), ...inline(line, names)];
  });
}

/**
 * @param {string} text
 * @param {Names} names
 * @returns {Node[]}
 */
function inline(text, names) {
  /** @type {Node[]} */
  const nodes = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    if (found.index > 0) nodes.push(document.createTextNode(rest.slice(0, found.index)));
    nodes.push(...special(found.groups ?? {}, names));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest !== '') nodes.push(document.createTextNode(rest));
  return nodes;
}

/**
 * @param {Record<string, string | undefined>} groups
 * @param {Names} names
 * @returns {Node[]}
 */
function special(groups, names) {
  const { escaped, seconds, style, person, channel, command, code, bold, underlined, struck, italic } = groups;
  const { label, target, address } = groups;
  if (escaped !== undefined) return [document.createTextNode(escaped)];
  if (seconds !== undefined) return [time(Number(seconds), style ?? 'f')];
  if (person !== undefined) return [el('span', { class: 'mention' }, `@${names.people.get(person) ?? 'unknown-user'}`)];
  if (channel !== undefined) return [el('span', { class: 'mention' }, `#${names.channels.get(channel) ?? 'unknown'}`)];
  if (command !== undefined) return [el('span', { class: 'mention' }, `/${command}`)];
  if (code !== undefined) return [el('code', {}, code)];
  if (bold !== undefined) return [el('strong', {}, ...inline(bold, names))];
  if (underlined !== undefined) return [el('u', {}, ...inline(underlined, names))];
  if (struck !== undefined) return [el('s', {}, ...inline(struck, names))];
  if (italic !== undefined) return [el('em', {}, ...inline(italic, names))];
  return [link(target ?? address ?? '', label === undefined ? [] : inline(label, names))];
}

/**
 * A link to another site.
 * @param {string} url http or https
 * @param {readonly Node[]} [children] its text; the address by default
 */
export function link(url, children = []) {
  return el(
    'a',
    { href: url, target: '_blank', rel: 'noopener noreferrer' },
    ...(children.length > 0 ? children : [document.createTextNode(url)]),
  );
}

/**
 * @param {number} seconds since 1970
 * @param {string} style Discord's letter
 */
function time(seconds, style) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return document.createTextNode(`<t:${seconds}:${style}>`);
  const full = new Intl.DateTimeFormat(undefined, STYLES.F).format(date);
  const text = style === 'R' ? relative(seconds) : new Intl.DateTimeFormat(undefined, STYLES[style]).format(date);
  const element = el('time', { datetime: date.toISOString(), title: full }, text);
  if (style === 'R') element.setAttribute('data-relative', String(seconds));
  return element;
}

/** @param {number} seconds since 1970 */
function relative(seconds) {
  const away = Math.round(seconds - Date.now() / 1000);
  const [size, unit] = UNITS.find(([least]) => Math.abs(away) >= least) ?? [1, 'second'];
  return new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(Math.round(away / size), unit);
}

/** Updates every relative time on the page. */
export function refreshRelativeTimes() {
  for (const element of document.querySelectorAll('time[data-relative]')) {
    const text = relative(Number(element.getAttribute('data-relative')));
    if (element.textContent !== text) element.textContent = text;
  }
}
