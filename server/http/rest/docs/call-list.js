// The list of calls in the API reference: a search over all texts, a row for each call, and Swagger UI's own parts for an open one.

/** Texts of the calls, for the search. @type {WeakMap<object, string>} */
const texts = new WeakMap();

/** Texts of a call. @param {any} item of Swagger UI's list @param {string} tag */
function textOf(item, tag) {
  const known = texts.get(item);
  if (known !== undefined) return known;
  const operation = item.get('operation');
  const parts = ['summary', 'description', 'operationId'].map((name) => operation.get(name) ?? '');
  const text = [tag, item.get('method'), item.get('path'), ...parts].join(' ').toLowerCase();
  texts.set(item, text);
  return text;
}

/** Calls that contain every word of the phrase. @param {any} taggedOps @param {string} phrase */
function search(taggedOps, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (/** @type {any} */ item, /** @type {string} */ tag) => {
    const text = textOf(item, tag);
    return words.every((word) => text.includes(word));
  };
  return taggedOps
    .map((/** @type {any} */ group, /** @type {string} */ tag) =>
      group.update('operations', (/** @type {any} */ list) =>
        list.filter((/** @type {any} */ item) => found(item, tag)),
      ),
    )
    .filter((/** @type {any} */ group) => group.get('operations').size > 0);
}

/** Swagger UI's list with our changes. @param {any} system of Swagger UI */
export function callListPlugin(system) {
  const { React, Im } = system;
  const h = React.createElement;

  function Search() {
    const { layoutActions, layoutSelectors, specSelectors } = system.getSystem();
    const phrase = layoutSelectors.currentFilter();
    const text = typeof phrase === 'string' ? phrase : '';
    const count = specSelectors
      .taggedOperations()
      .reduce((/** @type {number} */ sum, /** @type {any} */ group) => sum + group.get('operations').size, 0);
    return h(
      'div',
      { className: 'wrapper search', role: 'search' },
      h('label', { htmlFor: 'search' }, 'Search the calls'),
      h('input', {
        id: 'search',
        type: 'search',
        value: text,
        placeholder: 'inbox, cancel mission, PUT attendance …',
        onChange: (/** @type {{ target: HTMLInputElement }} */ { target }) => layoutActions.updateFilter(target.value),
      }),
      h('output', { htmlFor: 'search' }, count === 1 ? '1 call' : `${count} calls`),
    );
  }

  /** A part that Swagger UI would connect to its store, which draws it again after each change of anything. @param {string} name */
  const unconnected = (name) => {
    const { getComponent } = system.getSystem();
    const Part = getComponent(name);
    return name === 'CopyToClipboardBtn' ? (/** @type {any} */ props) => h(Part, { ...props, getComponent }) : Part;
  };
  /** @type {Map<string, any>} */
  const parts = new Map();
  const partOf = (/** @type {string} */ name) => {
    if (!parts.has(name)) parts.set(name, unconnected(name));
    return parts.get(name);
  };

  /** A closed call, as Swagger UI shows it. @param {{ item: any, tag: string, shownKey: string[] }} props */
  function ClosedCall({ item, tag, shownKey }) {
    const Summary = partOf('OperationSummary');
    const [path, method] = [item.get('path'), item.get('method')];
    const operation = item.get('operation');
    const id = shownKey.join('-').replaceAll(/\s/g, '_');
    return h(
      'div',
      { className: `opblock opblock-${method}`, id },
      h(Summary, {
        isShown: false,
        toggleShown: () => system.getSystem().layoutActions.show(shownKey, true),
        getComponent: partOf,
        operationProps: Im.Map({ op: operation, path, method, tag, showSummary: true, isShown: false }),
        specPath: item.get('specPath'),
      }),
    );
  }

  /** Calls whose button was just pressed. */
  const pressed = new WeakSet();

  /**
   * A call. Swagger UI's own part draws itself again after each change of anything, so only open calls are one.
   * @param {{ item: any, tag: string, shownKey: string[], isShown: boolean }} props
   */
  function Call({ item, tag, shownKey, isShown }) {
    const place = React.useRef(null);
    // the other part has a button of its own
    React.useLayoutEffect(() => {
      if (pressed.delete(item)) place.current.querySelector('.opblock-summary-control').focus({ preventScroll: true });
    }, [item, isShown]);
    const onClickCapture = (/** @type {{ target: Element }} */ { target }) => {
      if (target.closest('.opblock-summary-control') !== null) pressed.add(item);
    };
    const [path, method, specPath] = ['path', 'method', 'specPath'].map((name) => item.get(name));
    const call = isShown
      ? h(system.getSystem().getComponent('OperationContainer', true), { op: item, path, method, specPath, tag })
      : h(ClosedCall, { item, tag, shownKey });
    return h('div', { ref: place, onClickCapture }, call);
  }
  const KeptCall = React.memo(
    Call,
    (/** @type {any} */ one, /** @type {any} */ other) => one.item === other.item && one.isShown === other.isShown,
  );

  /**
   * All calls of the shown groups. From 150 lines on, Swagger UI's own list holds only those in view, and neither the browser's
   * search nor a screen reader finds the others.
   * @param {any} props
   */
  function Operations({ getComponent, specSelectors, layoutSelectors, ...props }) {
    const Group = getComponent('OperationTag');
    const callOf = (/** @type {any} */ item, /** @type {string} */ tag) => {
      const shownKey = ['operations', tag, item.getIn(['operation', 'operationId'])];
      return h(KeptCall, {
        key: item.get('id'),
        item,
        tag,
        shownKey,
        isShown: layoutSelectors.isShown(shownKey, false),
      });
    };
    const groups = specSelectors.taggedOperations();
    return h(
      'div',
      null,
      groups
        .map((/** @type {any} */ tagObj, /** @type {string} */ tag) =>
          h(
            Group,
            { ...props, layoutSelectors, key: tag, tagObj, tag, getComponent, specUrl: specSelectors.url() },
            h(
              'div',
              { className: 'operation-tag-content' },
              tagObj
                .get('operations')
                .map((/** @type {any} */ item) => callOf(item, tag))
                .toArray(),
            ),
          ),
        )
        .valueSeq()
        .toArray(),
    );
  }

  return {
    fn: { opsFilter: search },
    wrapComponents: { FilterContainer: () => Search, operations: () => Operations },
  };
}
