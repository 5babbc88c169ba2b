// The panels around the messages: places, members, events and switches.
import { el, post } from './dom.js';

/** @typedef {import('#tests/discord/sandbox/state.ts').SandboxState} SandboxState */
/** @typedef {import('#tests/discord/sandbox/state.ts').ShownGuild} ShownGuild */

/**
 * @param {SandboxState} state
 * @param {string} personId
 * @param {string} place
 * @param {(place: string) => void} go
 * @returns {Node[]}
 */
export function drawPlaces(state, personId, place, go) {
  /** @param {string} id @param {string} label */
  const button = (id, label) =>
    el(
      'button',
      {
        type: 'button',
        'data-key': id,
        ...(place === id ? { 'aria-current': 'page' } : {}),
        click: () => go(id),
      },
      label,
    );
  const mine = state.guilds.filter(({ memberIds }) => memberIds.includes(personId));
  return [
    el(
      'section',
      { 'aria-label': 'Direct messages' },
      el('h2', {}, 'Direct messages'),
      button('dm', state.directCount > 0 ? `Marshal (${state.directCount})` : 'Marshal'),
    ),
    ...mine.map((guild) =>
      el(
        'section',
        { 'aria-label': guild.name },
        el('h2', {}, guild.name, ...guildMarks(guild)),
        ...guild.channels.map(({ id, name, isText }) =>
          isText ? button(id, `# ${name}`) : el('span', { class: 'dim channel' }, name),
        ),
      ),
    ),
  ];
}

/** @param {ShownGuild} guild */
function guildMarks(guild) {
  if (!guild.isInstalled) return [el('span', { class: 'tag quiet' }, 'no bot')];
  return guild.isOut ? [el('span', { class: 'tag quiet' }, 'outage')] : [];
}

/**
 * @param {SandboxState} state
 * @param {ShownGuild | undefined} guild
 * @returns {Node[]}
 */
export function drawMembers(state, guild) {
  if (!guild) return [el('li', {}, state.bot.name, el('span', { class: 'tag' }, 'App'))];
  const names = new Map(state.people.map(({ id, name }) => [id, name]));
  const people = guild.memberIds.map((id) =>
    el(
      'li',
      {},
      names.get(id) ?? id,
      ...(guild.moderatorIds.includes(id) ? [el('span', { class: 'tag quiet' }, 'moderator')] : []),
    ),
  );
  const bot = guild.isInstalled ? [el('li', {}, state.bot.name, el('span', { class: 'tag' }, 'App'))] : [];
  return [...bot, ...people];
}

const EVENT_STATES = /** @type {Record<number, string>} */ ({ 1: '', 2: 'now', 3: 'over', 4: 'cancelled' });

/**
 * @param {ShownGuild | undefined} guild
 * @returns {Node[]}
 */
export function drawEvents(guild) {
  const events = guild?.events ?? [];
  if (events.length === 0) return [el('li', { class: 'dim' }, 'None')];
  const when = new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    dateStyle: undefined,
    hour: '2-digit',
    minute: '2-digit',
    day: 'numeric',
    month: 'short',
  });
  return events.map(({ name, startsAt, location, status }) =>
    el(
      'li',
      {},
      el('strong', {}, name),
      ...(EVENT_STATES[status] ? [el('span', { class: 'tag quiet' }, EVENT_STATES[status])] : []),
      el('br'),
      el('time', { datetime: startsAt }, when.format(new Date(startsAt))),
      ...(location ? [el('br'), el('span', { class: 'dim' }, location)] : []),
    ),
  );
}

/**
 * @param {SandboxState} state
 * @param {string} personId
 * @param {ShownGuild | undefined} guild
 * @param {(work: () => Promise<unknown>, done: string) => void} act
 * @returns {Node[]}
 */
export function drawSwitches(state, personId, guild, act) {
  const me = state.people.find(({ id }) => id === personId)?.name ?? '';
  /** @param {string} path @param {string} label @param {boolean} isOn @param {string} [id] */
  const toggle = (path, label, isOn, id) => {
    const box = el('input', {
      type: 'checkbox',
      checked: isOn,
      'data-key': path,
      change: () => act(() => post(`/switch/${path}`, { id, isOn: box.checked }), ''),
    });
    return el('label', { class: 'switch' }, box, label);
  };
  /** @param {string} kind @param {string} label @param {string} done */
  const fault = (kind, label, done) =>
    el(
      'button',
      {
        type: 'button',
        class: 'button secondary',
        'data-key': kind,
        click: () => act(() => post('/fault', { kind }), done),
      },
      label,
    );
  return [
    ...(guild
      ? [
          toggle('installed', `Bot is in ${guild.name}`, guild.isInstalled, guild.id),
          toggle('outage', `Outage of ${guild.name}`, guild.isOut, guild.id),
        ]
      : []),
    toggle('closed-dms', `${me} takes no direct messages`, state.isDmClosed, personId),
    toggle('intent-refused', 'Members intent refused', state.isIntentRefused),
    fault('drop gateway', 'Drop the gateway', 'The gateway’s connections were cut.'),
    fault('next post 500', 'Next post fails with 500', 'The next post will fail.'),
    fault('next post dropped', 'Next post is cut off after it is done', 'The answer to the next post will be lost.'),
  ];
}
