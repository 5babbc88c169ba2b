// Messages with their embeds, buttons and menus.
import { el } from './dom.js';
import { link, markdown } from './markdown.js';

/** @typedef {import('#tests/discord/sandbox/state.ts').ShownMessage} ShownMessage */
/** @typedef {import('./markdown.js').Names} Names */
/** @typedef {(messageId: string, what: string) => Promise<void>} Press */
/** @typedef {{ press: Press, choose: Press }} Acts */

const LOOKS = /** @type {Record<number, string>} */ ({ 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger' });
const ACTION_ROW = 1;
const BUTTON = 2;
const LINK = 5;
const MENU = 3;

/**
 * @param {ShownMessage} message
 * @param {Names} names
 * @param {Acts} acts
 * @returns {Node[]}
 */
export function drawMessage(message, names, { press, choose }) {
  const { author, isEphemeral, isEdited } = message;
  const at = new Date(message.atMs);
  const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' }).format(at);
  const rows = message.components.filter((row) => row.type === ACTION_ROW);
  return [
    el(
      'article',
      { 'aria-label': `${author.name}, ${clock}`, ...(isEphemeral ? { class: 'ephemeral' } : {}) },
      el('span', { class: author.isBot ? 'face bot' : 'face', 'aria-hidden': 'true' }, author.name.slice(0, 1)),
      el(
        'div',
        { class: 'said' },
        el(
          'header',
          {},
          el('strong', {}, author.name),
          ...(author.isBot ? [el('span', { class: 'tag' }, 'App')] : []),
          el('time', { datetime: at.toISOString() }, clock),
        ),
        ...(message.content === '' ? [] : [el('p', {}, ...markdown(message.content, names))]),
        ...message.embeds.map((embed) => drawEmbed(embed, names)),
        ...rows.map((row) =>
          el(
            'div',
            { class: 'row' },
            ...row.components.flatMap((one) => [
              ...drawButton(message.id, one, press),
              ...drawMenu(message.id, one, choose),
            ]),
          ),
        ),
        ...(isEdited ? [el('small', { class: 'dim' }, '(edited)')] : []),
        ...(isEphemeral ? [el('p', { class: 'only-you' }, 'Only you can see this')] : []),
      ),
    ),
  ];
}

/**
 * @param {import('discord-api-types/v10').APIEmbed} embed
 * @param {Names} names
 */
function drawEmbed(embed, names) {
  const title = embed.title === undefined ? [] : markdown(embed.title, names);
  const box = el(
    'div',
    { class: 'embed' },
    ...(embed.author ? [el('p', { class: 'dim' }, embed.author.name)] : []),
    ...(title.length === 0 ? [] : [el('h3', {}, ...(isWeb(embed.url) ? [link(embed.url, title)] : title))]),
    ...(embed.description === undefined ? [] : [el('p', {}, ...markdown(embed.description, names))]),
    ...(embed.fields?.length
      ? [
          el(
            'dl',
            {},
            ...embed.fields.map((field) =>
              el(
                'div',
                { class: field.inline === true ? 'inline' : 'wide' },
                el('dt', {}, ...markdown(field.name, names)),
                el('dd', {}, ...markdown(field.value, names)),
              ),
            ),
          ),
        ]
      : []),
    ...(embed.footer ? [el('p', { class: 'dim foot' }, embed.footer.text)] : []),
  );
  if (embed.color !== undefined) {
    box.style.setProperty('--embed', `#${embed.color.toString(16).padStart(6, '0')}`);
  }
  return box;
}

/**
 * @param {string} messageId
 * @param {import('discord-api-types/v10').APIComponentInMessageActionRow} component
 * @param {Press} press
 * @returns {Node[]}
 */
function drawButton(messageId, component, press) {
  if (component.type !== BUTTON) return [];
  const label = 'label' in component ? (component.label ?? '') : '';
  if (component.style === LINK) {
    if (!('url' in component) || !isWeb(component.url)) return [];
    const leads = link(component.url, [document.createTextNode(label)]);
    leads.className = 'button secondary';
    return [leads];
  }
  if (!('custom_id' in component)) return [];
  const button = el(
    'button',
    {
      type: 'button',
      class: `button ${LOOKS[component.style] ?? 'secondary'}`,
      'data-key': component.custom_id,
      disabled: component.disabled === true,
      click: () => {
        button.disabled = true;
        button.setAttribute('aria-busy', 'true');
        void press(messageId, component.custom_id).finally(() => {
          // the message itself decides if it can be pressed again
          button.disabled = component.disabled === true;
          button.removeAttribute('aria-busy');
        });
      },
    },
    label,
  );
  return [button];
}

/**
 * @param {string} messageId
 * @param {import('discord-api-types/v10').APIComponentInMessageActionRow} component
 * @param {Press} choose
 * @returns {Node[]}
 */
function drawMenu(messageId, component, choose) {
  if (component.type !== MENU) return [];
  const label = component.placeholder ?? 'Choose';
  const menu = el(
    'select',
    {
      'aria-label': label,
      'data-key': component.custom_id,
      change: () => {
        const option = component.options[menu.selectedIndex - 1];
        if (option === undefined) return;
        menu.disabled = true;
        void choose(messageId, option.label).finally(() => {
          menu.disabled = false;
        });
      },
    },
    el('option', {}, label),
    ...component.options.map((one) =>
      el(
        'option',
        {},
        one.description === undefined || one.description === null ? one.label : `${one.label}: ${one.description}`,
      ),
    ),
  );
  return [menu];
}

/**
 * @param {string | undefined} url
 * @returns {url is string}
 */
function isWeb(url) {
  return url !== undefined && /^https?:\/\//.test(url);
}
