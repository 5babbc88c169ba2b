// The few things that this page needs of a framework.

/**
 * Create an element. User input only becomes text, never markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | boolean | ((event: Event) => void)>} [attributes] functions are listeners by the name of their event
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/**
 * The element with this id, which index.html has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page lacks #${id}.`);
  return element;
}

/** The current content of a place: drawn again only when it changes. @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/**
 * Redraw a place if its model has changed, and restore the focus by `data-key`.
 * @param {HTMLElement} place
 * @param {unknown} model its data, compared as JSON
 * @param {() => Node[]} draw
 */
export function redraw(place, model, draw) {
  const text = JSON.stringify([model]);
  if (drawn.get(place) === text) return;
  drawn.set(place, text);
  const focused = document.activeElement;
  const key = focused && place.contains(focused) ? focused.getAttribute('data-key') : null;
  place.replaceChildren(...draw());
  if (key !== null) {
    const again = [...place.querySelectorAll('[data-key]')].find((one) => one.getAttribute('data-key') === key);
    if (again instanceof HTMLElement) again.focus();
  }
}

/**
 * Draw a list item by item: those that did not change stay, with their focus.
 * @template {{ id: string }} Item
 * @param {HTMLElement} list
 * @param {readonly Item[]} items
 * @param {(item: Item) => Node[]} draw
 * @returns {boolean} whether an item was added
 */
export function redrawList(list, items, draw) {
  const before = new Map([...list.children].map((element) => [element.getAttribute('data-id'), element]));
  let isLonger = false;
  const elements = items.map((item) => {
    const known = before.get(item.id);
    const element = known instanceof HTMLElement ? known : el('li', { 'data-id': item.id });
    isLonger ||= !known;
    redraw(element, item, () => draw(item));
    return element;
  });
  const isSame = elements.length === list.children.length && elements.every((one, at) => one === list.children[at]);
  if (!isSame) list.replaceChildren(...elements);
  return isLonger;
}

/**
 * Ask the sandbox to do something.
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<any>} its answer; throws with its sentence
 */
export async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}
