// Slash commands as the bot registered them, with a field for every option.
import { el, post, redraw } from './dom.js';

/** @typedef {import('discord-api-types/v10').APIApplicationCommand} Command */
/** @typedef {import('discord-api-types/v10').APIApplicationCommandOption} Option */
/** @typedef {{ path: string, description: string, options: readonly Option[] }} Usable */
/**
 * The place and the user of a command.
 * @typedef {{ personId: string, guildId: string | null, channels: readonly { id: string, name: string }[] }} Context
 */

const SUBCOMMAND = 1;
const GROUP = 2;
const INTEGER = 4;
const BOOLEAN = 5;
const CHANNEL = 7;
const NUMBER = 10;

/**
 * A control below its name, which is nothing but that name.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {...Node} more
 */
function labelled(label, control, ...more) {
  control.id = `field-${label.replaceAll(/[^a-z]+/gi, '-')}`;
  return el('div', { class: 'field' }, el('label', { for: control.id }, label), control, ...more);
}

/** The chosen values, kept when the box is redrawn. */
let chosen = '';
/** The action of "Use" with the current fields. */
let use = () => {};

/** @param {HTMLElement} form */
export function listenToCommandBox(form) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    use();
  });
}

/**
 * @param {HTMLElement} form
 * @param {readonly Command[]} commands
 * @param {Context} context
 * @param {(path: string, values: Record<string, string | number | boolean>) => Promise<void>} run
 */
export function drawCommandBox(form, commands, context, run) {
  const usable = commands.flatMap((command) => unfold(command)).sort((a, b) => (a.path < b.path ? -1 : 1));
  redraw(form, [usable, context], () => {
    if (usable.length === 0) return [el('p', { class: 'dim' }, 'The bot has registered no commands yet.')];
    if (!usable.some(({ path }) => path === chosen)) chosen = usable[0]?.path ?? '';
    const select = el(
      'select',
      { 'data-key': 'command' },
      ...usable.map(({ path }) => el('option', { value: path, selected: path === chosen }, `/${path}`)),
    );
    const fields = el('div', { class: 'fields' });
    const help = el('span', { class: 'dim', id: 'command-help' });
    const submit = el('button', { type: 'submit', class: 'button primary', 'data-key': 'use' }, 'Use');
    /** @type {Map<string, () => string | number | boolean | undefined>} */
    let readers = new Map();
    const show = () => {
      chosen = select.value;
      const command = usable.find(({ path }) => path === chosen);
      help.textContent = command?.description ?? '';
      readers = new Map();
      fields.replaceChildren(
        ...(command?.options ?? []).map((option) => {
          const field = drawField(option, chosen, context);
          readers.set(option.name, field.read);
          return field.element;
        }),
      );
    };
    select.addEventListener('change', show);
    show();
    use = () => {
      /** @type {Record<string, string | number | boolean>} */
      const values = {};
      for (const [name, read] of readers) {
        const value = read();
        if (value !== undefined) values[name] = value;
      }
      submit.disabled = true;
      void run(chosen, values).finally(() => {
        submit.disabled = false;
      });
    };
    return [labelled('Command', select), fields, submit, help];
  });
}

/**
 * A command, or its subcommands each by itself.
 * @param {Command} command
 * @returns {Usable[]}
 */
function unfold(command) {
  /** @param {string} path @param {string} description @param {readonly Option[]} options @returns {Usable[]} */
  const walk = (path, description, options) => {
    const below = options.filter(({ type }) => type === SUBCOMMAND || type === GROUP);
    if (below.length === 0) return [{ path, description, options }];
    return below.flatMap((one) =>
      walk(`${path} ${one.name}`, one.description, 'options' in one ? (one.options ?? []) : []),
    );
  };
  return walk(command.name, command.description, command.options ?? []);
}

/**
 * @param {Option} option
 * @param {string} path
 * @param {Context} context
 * @returns {{ element: HTMLElement, read: () => string | number | boolean | undefined }}
 */
function drawField(option, path, context) {
  const isRequired = option.required === true;
  const key = `${path} ${option.name}`;
  const label = isRequired ? option.name : `${option.name} (optional)`;
  /** @param {string} text */
  const typed = (text) => {
    if (text === '') return undefined;
    return option.type === INTEGER || option.type === NUMBER ? Number(text) : text;
  };
  /** @param {readonly { name: string, value: string | number }[]} choices @param {(text: string) => string | number | boolean | undefined} read */
  const select = (choices, read) => {
    const control = el(
      'select',
      { required: isRequired, 'data-key': key, title: option.description },
      el('option', { value: '' }, isRequired ? 'Choose …' : '–'),
      ...choices.map(({ name, value }) => el('option', { value: String(value) }, name)),
    );
    return { element: labelled(label, control), read: () => read(control.value) };
  };

  if ('choices' in option && option.choices && option.choices.length > 0) return select(option.choices, typed);
  if (option.type === CHANNEL) {
    return select(
      context.channels.map(({ id, name }) => ({ name: `# ${name}`, value: id })),
      typed,
    );
  }
  if (option.type === BOOLEAN) {
    const choices = ['true', 'false'].map((value) => ({ name: value, value }));
    return select(choices, (text) => (text === '' ? undefined : text === 'true'));
  }
  const isNumber = option.type === INTEGER || option.type === NUMBER;
  const control = el('input', {
    type: isNumber ? 'number' : 'text',
    required: isRequired,
    autocomplete: 'off',
    'data-key': key,
    title: option.description,
    ...('min_value' in option && option.min_value !== undefined ? { min: String(option.min_value) } : {}),
    ...('max_value' in option && option.max_value !== undefined ? { max: String(option.max_value) } : {}),
  });
  if (!('autocomplete' in option) || option.autocomplete !== true) {
    return { element: labelled(label, control), read: () => typed(control.value) };
  }
  return drawSuggesting(option, path, context, label, control);
}

/**
 * A text that the bot makes suggestions for; it is sent the value behind the one that was taken.
 * @param {Option} option
 * @param {string} path
 * @param {Context} context
 * @param {string} label
 * @param {HTMLInputElement} control
 */
function drawSuggesting(option, path, context, label, control) {
  const list = el('datalist', { id: `choices-${option.name}` });
  control.setAttribute('list', list.id);
  /** @type {Map<string, string | number>} */
  const offered = new Map();
  let asked = 0;
  const suggest = async () => {
    const mine = ++asked;
    const body = {
      as: context.personId,
      guildId: context.guildId,
      path,
      focused: option.name,
      text: control.value,
    };
    const { choices } = await post('/autocomplete', body);
    if (mine !== asked) return;
    for (const { name, value } of choices) offered.set(name, value);
    list.replaceChildren(...choices.map((/** @type {{ name: string }} */ { name }) => el('option', { value: name })));
  };
  const soon = () => void suggest().catch(() => undefined);
  control.addEventListener('focus', soon);
  control.addEventListener('input', soon);
  return {
    element: labelled(label, control, list),
    read: () => (control.value === '' ? undefined : (offered.get(control.value) ?? control.value)),
  };
}
