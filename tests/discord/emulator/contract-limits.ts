/** Rules of Discord's documentation that its schemas lack. */
import { buttonsOf } from './interactions.ts';
import type { Issue } from './contract-strict.ts';

const CONTENT = 2000;
const EMBEDS_TOGETHER = 6000;
const COMPONENTS = 40;
const COMMAND_TEXT = 8000;
const COMMANDS = 100;
const CHOICES = { count: 25, text: 100 };
const LINK_STYLE = 5;
const SUBCOMMAND = 1;
const GROUP = 2;
/** Chat-input commands and their options; letters have to be small where there are small ones. */
const COMMAND_NAME = /^[-_'\p{L}\p{N}\p{Script=Devanagari}\p{Script=Thai}]{1,32}$/u;

type Json = Record<string, unknown>;
type Complain = (path: string, message: string) => void;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Discord counts characters, not halves of them. */
const length = (value: unknown): number => [...text(value)].length;

/** @param name `POST /channels/{channel_id}/messages` */
export function limitsOf(name: string, body: unknown): Issue[] {
  const issues: Issue[] = [];
  const complain: Complain = (path, message) => issues.push({ path, message, isUnknownProperty: false });
  if (name.includes('/commands')) {
    if (Array.isArray(body)) checkCommands(list(body), complain);
    else if (isJson(body)) checkCommand(body, '', complain);
  } else if (name.includes('/callback') && isJson(body)) {
    if (body['type'] === 8) checkChoices(isJson(body['data']) ? body['data'] : {}, 'data.', complain);
    else if (isJson(body['data'])) checkMessage(body['data'], 'data.', complain);
  } else if (isJson(body) && (name.includes('/messages') || name.includes('/webhooks/'))) {
    checkMessage(body, '', complain);
  } else if (isJson(body) && name.includes('/scheduled-events')) checkEvent(body, complain);
  return issues;
}

function checkMessage(message: Json, at: string, complain: Complain): void {
  if (length(message['content']) > CONTENT) complain(`${at}content`, `Must be ${CONTENT} or fewer in length.`);
  const embeds = list(message['embeds']);
  const together = embeds.reduce((sum, embed) => sum + embedLength(embed), 0);
  if (together > EMBEDS_TOGETHER) complain(`${at}embeds`, 'Embed size exceeds maximum size of 6000');
  embeds.forEach((embed, index) => checkEmbed(embed, `${at}embeds.${index}.`, complain));
  checkMentions(message['allowed_mentions'], at, complain);
  checkComponents(message['components'], at, complain);
}

function embedLength(embed: Json): number {
  const of = (value: unknown, key: string) => (isJson(value) ? length(value[key]) : 0);
  const fields = list(embed['fields']).reduce((sum, field) => sum + length(field['name']) + length(field['value']), 0);
  const own = length(embed['title']) + length(embed['description']);
  return own + fields + of(embed['footer'], 'text') + of(embed['author'], 'name');
}

function checkEmbed(embed: Json, at: string, complain: Complain): void {
  list(embed['fields']).forEach((field, index) => {
    for (const part of ['name', 'value']) {
      if (text(field[part]).trim() === '') complain(`${at}fields.${index}.${part}`, 'This field is required');
    }
  });
  checkLink(embed['url'], `${at}url`, complain);
  for (const part of ['image', 'thumbnail', 'author', 'footer']) {
    const inner = embed[part];
    if (!isJson(inner)) continue;
    for (const key of ['url', 'icon_url']) checkLink(inner[key], `${at}${part}.${key}`, complain);
  }
  const shown = ['title', 'description', 'author', 'image', 'thumbnail', 'footer'].some((part) => !!embed[part]);
  if (!shown && list(embed['fields']).length === 0) complain(`${at}description`, 'This field is required');
}

/**
 * Discord's check of links in embeds and on buttons ("Not a well formed URL"), which its documentation does not state: a host
 * needs a dot. https://github.com/grafana/grafana/issues/65270, https://github.com/bugsink/bugsink/issues/280. Those are
 * about embeds; for buttons nobody documents either answer, so the stricter one is assumed.
 */
function checkLink(url: unknown, path: string, complain: Complain): void {
  if (typeof url !== 'string' || url.startsWith('attachment://')) return;
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  if (protocol === 'discord:') return;
  if (protocol !== 'http:' && protocol !== 'https:')
    complain(path, `Scheme "${protocol.slice(0, -1)}" is not supported. Scheme must be one of ('http', 'https').`);
  else if (!hostname.includes('.')) complain(path, 'Not a well formed URL.');
}

function checkMentions(mentions: unknown, at: string, complain: Complain): void {
  if (!isJson(mentions)) return;
  for (const kind of ['users', 'roles']) {
    const isBoth = Array.isArray(mentions['parse']) && mentions['parse'].includes(kind);
    if (isBoth && Array.isArray(mentions[kind]) && mentions[kind].length > 0) {
      complain(`${at}allowed_mentions`, `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`);
    }
  }
}

function checkComponents(components: unknown, at: string, complain: Complain): void {
  const ids = new Set<string>();
  let count = 0;
  const look = (value: unknown, path: string): void => {
    if (Array.isArray(value)) value.forEach((inner, index) => look(inner, `${path}.${index}`));
    else if (isJson(value)) {
      count += 1;
      const id = text(value['custom_id']);
      if (id !== '' && ids.has(id)) complain(`${path}.custom_id`, 'Component custom id cannot be duplicated');
      ids.add(id);
      look(value['components'] ?? [], `${path}.components`);
      look(value['accessory'] ?? [], `${path}.accessory`);
    }
  };
  look(components ?? [], `${at}components`);
  if (count > COMPONENTS) complain(`${at}components`, `Must be ${COMPONENTS} or fewer components in all.`);
  if (list(components).filter(({ type }) => type === 1).length > 5)
    complain(`${at}components`, 'Must be 5 or fewer rows.');
  for (const button of buttonsOf(list(components) as never)) checkButton(button, `${at}components`, complain);
}

function checkButton(button: Json, at: string, complain: Complain): void {
  const [hasId, hasUrl] = [text(button['custom_id']) !== '', text(button['url']) !== ''];
  if (button['style'] === LINK_STYLE) {
    if (!hasUrl) complain(at, 'A link button needs a url');
    checkLink(button['url'], `${at}.url`, complain);
    if (hasId) complain(at, 'A custom id and url cannot both be specified');
  } else if (!hasId) complain(at, 'A custom id is required');
  if (text(button['label']) === '' && !isJson(button['emoji'])) complain(at, 'A button needs a label or an emoji');
}

function checkCommands(commands: readonly Json[], complain: Complain): void {
  if (commands.length > COMMANDS) complain('', `Must be ${COMMANDS} or fewer commands.`);
  const names = new Set<unknown>();
  commands.forEach((command, index) => {
    if (names.has(command['name'])) complain(`${index}.name`, 'Application command names must be unique');
    names.add(command['name']);
    checkCommand(command, `${index}.`, complain);
  });
}

function checkCommand(command: Json, at: string, complain: Complain): void {
  if ((command['type'] ?? 1) !== 1) return;
  checkName(command, at, complain);
  if (textOf(command) > COMMAND_TEXT) complain(at, `Command exceeds maximum size (${COMMAND_TEXT})`);
  checkOptions(command, at, 0, complain);
}

function checkName(named: Json, at: string, complain: Complain): void {
  const name = text(named['name']);
  if (!COMMAND_NAME.test(name)) complain(`${at}name`, 'String value did not match validation regex.');
  else if (name !== name.toLowerCase()) complain(`${at}name`, 'Command names are lower case.');
  if (length(named['description']) < 1) complain(`${at}description`, 'This field is required');
}

function checkOptions(owner: Json, at: string, depth: number, complain: Complain): void {
  const options = list(owner['options']);
  const isNest = ({ type }: Json) => type === SUBCOMMAND || type === GROUP;
  if (options.some(isNest) && !options.every(isNest))
    complain(`${at}options`, 'Sub-commands and options cannot be mixed');
  const names = new Set<unknown>();
  let hasOptional = false;
  options.forEach((option, index) => {
    const here = `${at}options.${index}.`;
    checkName(option, here, complain);
    if (names.has(option['name'])) complain(`${here}name`, 'Option names must be unique');
    names.add(option['name']);
    if (option['required'] === true && hasOptional)
      complain(here, 'Required options must be placed before non-required options');
    if (!isNest(option) && option['required'] !== true) hasOptional = true;
    if (option['autocomplete'] === true && list(option['choices']).length > 0)
      complain(here, 'Autocomplete excludes choices');
    if (list(option['choices']).length > 0) checkChoices(option, here, complain);
    const isTooDeep = isNest(option) && (depth > 1 || (depth === 1 && option['type'] === GROUP));
    if (isTooDeep) complain(here, 'Sub-commands nest one group deep');
    checkOptions(option, here, depth + 1, complain);
  });
}

function checkChoices(owner: Json, at: string, complain: Complain): void {
  const choices = list(owner['choices']);
  if (choices.length > CHOICES.count) complain(`${at}choices`, `Must be ${CHOICES.count} or fewer in length.`);
  const names = new Set<unknown>();
  choices.forEach(({ name, value }, index) => {
    if (length(name) < 1 || length(name) > CHOICES.text)
      complain(`${at}choices.${index}.name`, 'Must be between 1 and 100 in length.');
    if (length(value) > CHOICES.text) complain(`${at}choices.${index}.value`, 'Must be 100 or fewer in length.');
    if (names.has(name)) complain(`${at}choices.${index}.name`, 'Choice names must be unique');
    names.add(name);
  });
}

/** All names, descriptions and values of a command together. */
function textOf(owner: Json): number {
  const own = length(owner['name']) + length(owner['description']) + length(owner['value']);
  return [...list(owner['options']), ...list(owner['choices'])].reduce((sum, inner) => sum + textOf(inner), own);
}

function checkEvent(event: Json, complain: Complain): void {
  if ('name' in event && text(event['name']).trim() === '') complain('name', 'This field is required');
  const metadata = event['entity_metadata'];
  if (isJson(metadata) && text(metadata['location']).trim() === '')
    complain('entity_metadata.location', 'This field is required');
}
