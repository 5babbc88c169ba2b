// The sandbox's page: the address contains the current user and channel, everything else comes from the sandbox.
import { drawCommandBox, listenToCommandBox } from './command-box.js';
import { byId, el, post, redraw, redrawList } from './dom.js';
import { refreshRelativeTimes } from './markdown.js';
import { drawMessage } from './messages.js';
import { drawEvents, drawMembers, drawPlaces, drawSwitches } from './panels.js';

/** @typedef {import('#tests/discord/sandbox/state.ts').SandboxState} SandboxState */

const POLL_MS = 700;
const AWAY = 'The sandbox does not answer.';

/** @type {SandboxState | null} */
let state = null;
let etag = '';
let drawnPlace = '';

/** The current user, and `dm` or a channel's id. */
function readAddress() {
  const address = new URLSearchParams(location.hash.slice(1));
  return { personId: address.get('as') ?? '', place: address.get('at') ?? '' };
}

/** @param {string} personId @param {string} place */
function go(personId, place) {
  location.hash = String(new URLSearchParams({ as: personId, at: place }));
}

async function refresh() {
  const { personId, place } = readAddress();
  const query = new URLSearchParams({ as: personId, at: place });
  const response = await fetch(`/state?${query}`, { headers: etag === '' ? {} : { 'if-none-match': etag } });
  if (response.status !== 304) {
    etag = response.headers.get('etag') ?? '';
    state = await response.json();
  }
  const now = readAddress();
  // the user has switched meanwhile, and another request is running
  if (now.personId === personId && now.place === place) draw(personId, place);
}

/** @param {string} personId @param {string} place */
function draw(personId, place) {
  if (!state) return;
  const now = state;
  const me = now.people.find(({ id }) => id === personId);
  if (!me) {
    const [first] = now.people;
    if (first) go(first.id, place);
    return;
  }
  const mine = now.guilds.filter(({ memberIds }) => memberIds.includes(personId));
  const guild = mine.find(({ channels }) => channels.some(({ id }) => id === place));
  const channel = guild?.channels.find(({ id }) => id === place);
  if (place !== 'dm' && !channel) {
    const first = mine.flatMap(({ channels }) => channels).find(({ isText }) => isText);
    go(personId, first?.id ?? 'dm');
    return;
  }

  drawPeople(now, personId);
  const gateway = now.connections === 1 ? 'The bot is connected' : `${now.connections} connections of the bot`;
  setText('gateway', now.connections === 0 ? 'The bot is not connected' : gateway);
  byId('site').setAttribute('href', now.siteUrl);
  setText('place-name', channel ? `# ${channel.name}` : 'Marshal');
  setText('place-topic', channel ? (channel.topic ?? '') : `Direct messages of ${me.name}`);
  redraw(byId('places'), [now.guilds, now.directCount, personId, place], () =>
    drawPlaces(now, personId, place, (next) => go(personId, next)),
  );
  drawMessages(now, personId, place);
  redraw(byId('members'), [now.people, guild], () => drawMembers(now, guild));
  redraw(byId('events'), guild?.events, () => drawEvents(guild));
  redraw(byId('switches'), [personId, guild, now.isDmClosed, now.isIntentRefused], () =>
    drawSwitches(now, personId, guild, (work, done) => void act(work, done)),
  );
  const context = {
    personId,
    guildId: guild?.id ?? null,
    channels: (guild?.channels ?? []).map(({ id, name }) => ({ id, name })),
  };
  drawCommandBox(byId('command-box'), now.commands, context, (path, values) =>
    act(() => post('/command', { as: personId, guildId: context.guildId, path, values }), ''),
  );
  setText('violation-count', String(now.violations.length));
  redraw(byId('violations'), now.violations, () => now.violations.map((text) => el('li', {}, text)));
  refreshRelativeTimes();
}

/** @param {SandboxState} now @param {string} personId */
function drawPeople(now, personId) {
  redraw(byId('person'), [now.people, personId], () =>
    [
      { label: 'Pilots', people: now.people.filter(({ isPilot }) => isPilot) },
      { label: 'Not registered at the start', people: now.people.filter(({ isPilot }) => !isPilot) },
    ].map(({ label, people }) =>
      el(
        'optgroup',
        { label },
        ...people.map(({ id, name }) => el('option', { value: id, selected: id === personId }, name)),
      ),
    ),
  );
}

/** @param {SandboxState} now @param {string} personId @param {string} place */
function drawMessages(now, personId, place) {
  const list = byId('messages');
  const names = {
    people: new Map([...now.people, now.bot].map(({ id, name }) => [id, name])),
    channels: new Map(now.guilds.flatMap(({ channels }) => channels).map(({ id, name }) => [id, name])),
  };
  const here = `${personId} ${place}`;
  if (here !== drawnPlace) list.replaceChildren();
  const isLonger = redrawList(list, now.messages, (message) =>
    drawMessage(message, names, {
      press: (messageId, button) => act(() => post('/press', { as: personId, messageId, button }), ''),
      choose: (messageId, option) => act(() => post('/choose', { as: personId, messageId, option }), ''),
    }),
  );
  byId('empty').hidden = now.messages.length > 0;
  if (isLonger || here !== drawnPlace) list.scrollTop = list.scrollHeight;
  drawnPlace = here;
}

/**
 * Perform an action and show its result or error.
 * @param {() => Promise<any>} work
 * @param {string} done
 */
async function act(work, done) {
  setText('notice', done === '' ? 'Waiting …' : '');
  try {
    const outcome = await work();
    setText('notice', outcome.answeredWith === null ? 'This interaction failed' : done);
    showReply(outcome.replyChannelId);
  } catch (error) {
    setText('notice', error instanceof Error ? error.message : String(error));
  }
  await refresh();
}

/**
 * A command answers where the emulator used it, which may be another channel of that server.
 * @param {string | null | undefined} channelId
 */
function showReply(channelId) {
  const { personId, place } = readAddress();
  const isChannel = state?.guilds.some(({ channels }) => channels.some(({ id }) => id === channelId));
  if (isChannel === true && channelId && channelId !== place) go(personId, channelId);
}

/** @param {string} id @param {string} text */
function setText(id, text) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

async function look() {
  try {
    await refresh();
    if (byId('notice').textContent === AWAY) setText('notice', '');
  } catch {
    setText('notice', AWAY);
  }
}

addEventListener('hashchange', () => {
  etag = '';
  setText('notice', '');
  void look();
});

byId('person').addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement) go(target.value, readAddress().place);
});
listenToCommandBox(byId('command-box'));
byId('skip').addEventListener('click', (event) => {
  event.preventDefault(); // the address says who looks at what
  byId('messages').focus();
});

async function poll() {
  await look();
  setTimeout(() => void poll(), POLL_MS);
}
void poll();
