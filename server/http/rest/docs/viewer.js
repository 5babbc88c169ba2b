// API reference in the browser: Swagger UI with code samples and a token for "Try it out".
// Plain JavaScript, because it is served as it is.
import { callListPlugin } from './call-list.js';
import { SAMPLE_LANGUAGES } from './code-samples.js';
import { cutDocument } from './document-parts.js';

/** Set by swagger-ui-bundle.js, which has no types. @type {any} */
const SwaggerUIBundle = Reflect.get(window, 'SwaggerUIBundle');

/** @typedef {Record<string, any>} Json */

const API = '/api/v1';

/** @param {string} id @returns {HTMLElement} */
function find(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page lacks #${id}.`);
  return element;
}

/** The token that "Try it out" sends; kept in this variable only, so that it is gone when the page closes. */
let token = '';

/** Says as whom calls run. */
async function showCaller() {
  const headers = token === '' ? undefined : { Authorization: `Bearer ${token}` };
  const response = await fetch(`${API}/auth/viewer`, { headers, credentials: token === '' ? 'same-origin' : 'omit' });
  const answer = await response.json();
  const name = answer && (answer.displayName ?? answer.email);
  const caller = find('caller');
  if (!response.ok) caller.textContent = answer.message;
  else if (name && token !== '') caller.textContent = `Calls run with this token, as ${name}.`;
  else if (name)
    caller.textContent = `Without a token, calls run as ${name}, who is signed in to this browser. POST, PUT and DELETE change real data.`;
  else caller.textContent = 'Nobody is signed in to this browser. Without a token, only public calls work.';
}

function takeTokens() {
  const form = find('token-form');
  const field = /** @type {HTMLInputElement} */ (find('token'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    token = field.value.trim();
    void showCaller();
  });
  form.addEventListener('reset', () => {
    token = '';
    void showCaller();
  });
  form.hidden = false;
  void showCaller();
}

/** Sends calls to this origin only, with the token or, without one, with the browser's session. @param {Json} request */
function prepareRequest(request) {
  if (request.loadSpec) return request;
  if (new URL(request.url, location.href).origin !== location.origin) throw new Error('This address is not Marshal.');
  if (token !== '') request.headers.Authorization = `Bearer ${token}`;
  request.credentials = token === '' ? 'same-origin' : 'omit';
  return request;
}

/** A value for a parameter, from its example, default, enum or type. @param {Json} parameter @param {any} fn of Swagger UI */
function exampleOf(parameter, fn) {
  const schema = parameter.schema ?? {};
  const named = Object.values(parameter.examples ?? {})[0];
  const given =
    parameter.example ?? named?.value ?? schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  return given ?? fn.jsonSchema202012.sampleFromSchema(schema) ?? parameter.name;
}

/** The body's example, from the document or made from the schema. @param {Json | undefined} media @param {any} fn of Swagger UI */
function bodyOf(media, fn) {
  if (!media) return undefined;
  const named = Object.values(media.examples ?? {})[0];
  return media.example ?? named?.value ?? fn.jsonSchema202012.sampleFromSchema(media.schema ?? {});
}

/**
 * The call that the samples make: required parameters and the body, with example values.
 * @param {string} path @param {string} method @param {Json} operation resolved @param {Json[]} security of the document
 * @param {any} fn of Swagger UI
 * @returns {import('./code-samples.js').SampleCall}
 */
function toSampleCall(path, method, operation, security, fn) {
  const parameters = /** @type {Json[]} */ (operation.parameters ?? []);
  const query = new URLSearchParams();
  let address = path;
  for (const parameter of parameters) {
    const value = exampleOf(parameter, fn);
    if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, encodeURIComponent(String(value)));
    if (parameter.in !== 'query' || !parameter.required) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(parameter.name, String(one));
  }
  const [, success] = Object.entries(/** @type {Json} */ (operation.responses ?? {}))[0] ?? [];
  const demands = operation.security ?? security;
  return {
    method,
    url: `${document.documentElement.dataset.publicUrl}${API}${address}${query.size > 0 ? `?${query}` : ''}`,
    needsToken: demands.length > 0,
    body: bodyOf(operation.requestBody?.content?.['application/json'], fn),
    answerType: Object.keys(success?.content ?? {})[0] ?? 'text/plain',
  };
}

/** The language that the reader chose last, for all calls. */
let language = 'curl';

/** Swagger UI's part with our changes. @param {any} system of Swagger UI */
function marshalPlugin(system) {
  const { React } = system;
  const h = React.createElement;
  const nothing = () => () => null;

  /** @param {{ path: string, method: string }} props */
  function CodeSamples({ path, method }) {
    const [chosen, choose] = React.useState(language);
    const { specSelectors, fn } = system.getSystem();
    const resolved = specSelectors.specResolvedSubtree(['paths', path, method]);
    if (!resolved) return null;
    const security = specSelectors.specJson().get('security')?.toJS() ?? [{}];
    const call = toSampleCall(path, method, resolved.toJS(), security, fn);
    const [, write] = SAMPLE_LANGUAGES.find(([name]) => name === chosen) ?? SAMPLE_LANGUAGES[0] ?? [];
    const buttons = SAMPLE_LANGUAGES.map(([name]) =>
      h(
        'button',
        {
          key: name,
          type: 'button',
          'aria-pressed': name === chosen,
          onClick: () => {
            language = name;
            choose(name);
          },
        },
        name,
      ),
    );
    return h(
      'div',
      { className: 'code-samples' },
      h('div', { className: 'opblock-section-header' }, h('h4', null, 'Code'), h('div', null, buttons)),
      h('pre', { tabIndex: 0 }, h('code', null, write?.(call))),
    );
  }

  /** Images as data: addresses, which the content security policy allows; Swagger UI's own blob: addresses it does not. */
  function ImageBody(/** @type {{ content: Blob }} */ { content }) {
    const [address, setAddress] = React.useState('');
    React.useEffect(() => {
      const reader = new FileReader();
      reader.addEventListener('load', () => setAddress(/** @type {string} */ (reader.result)));
      reader.readAsDataURL(content);
    }, [content]);
    return address === '' ? null : h('img', { src: address, alt: 'The answer', style: { maxWidth: '100%' } });
  }

  /** Streams never end, and redirects lead to Discord: there is nothing to try. @param {any} original */
  const allowTryItOutFor =
    (original) => (/** @type {any} */ state, /** @type {string} */ path, /** @type {string} */ method) => {
      const responses = system.getSystem().specSelectors.specJson().getIn(['paths', path, method, 'responses']);
      const isStream = responses?.hasIn(['200', 'content', 'text/event-stream']);
      const isRedirect = !responses?.some((/** @type {any} */ _one, /** @type {string} */ status) =>
        status.startsWith('2'),
      );
      return !isStream && !isRedirect && original(state, path, method);
    };

  const { resolveSubtree } = system.getSystem().fn;

  return {
    fn: {
      // resolving reads all of the document that it gets, which takes seconds for the whole
      resolveSubtree: (/** @type {Json} */ document, /** @type {string[]} */ address, /** @type {Json} */ options) =>
        resolveSubtree(cutDocument(document, address), address, options),
    },
    statePlugins: { spec: { wrapSelectors: { allowTryItOutFor } } },
    wrapComponents: {
      // the page has these itself: title, token, and the one server
      InfoContainer: nothing,
      ServersContainer: nothing,
      SchemesContainer: nothing,
      AuthorizeBtnContainer: nothing,
      authorizeOperationBtn: nothing,
      // a link inside of the button that opens the call could not be reached; the address still names the open call
      DeepLink:
        () =>
        (/** @type {any} */ { text }) =>
          h('span', null, text),
      TextArea: (/** @type {any} */ Original) => (/** @type {any} */ props) =>
        h(Original, { 'aria-label': 'Body', ...props }),
      JSONSchema202012Accordion:
        (/** @type {any} */ Original) =>
        (/** @type {any} */ { children, ...props }) =>
          h(Original, props, children, h('span', { className: 'visually-hidden' }, 'fields')),
      responses: (/** @type {any} */ Original) => (/** @type {any} */ props) =>
        h(React.Fragment, null, h(CodeSamples, props), h(Original, props)),
      responseBody: (/** @type {any} */ Original) => (/** @type {any} */ props) =>
        props.contentType?.startsWith('image/') && props.content instanceof Blob
          ? h(ImageBody, props)
          : h(Original, props),
    },
  };
}

takeTokens();
SwaggerUIBundle({
  dom_id: '#viewer',
  url: new URL('openapi.json', import.meta.url).pathname,
  plugins: [marshalPlugin, callListPlugin],
  filter: true,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelRendering: 'model',
  displayRequestDuration: true,
  requestInterceptor: prepareRequest,
  // the shown curl command would contain the token
  showMutatedRequest: false,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
});
