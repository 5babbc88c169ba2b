// Code samples of one call in curl, TypeScript and Python. Plain JavaScript, because the API reference runs it in the browser.

/**
 * A call as a script would make it.
 * @typedef {object} SampleCall
 * @property {string} method in lower case
 * @property {string} url absolute, with the query
 * @property {boolean} needsToken false for calls that anybody may make
 * @property {unknown} body undefined for none
 * @property {string} answerType content type of the successful answer
 */

const JSON_TYPE = 'application/json';

/** @param {string} text as one word of a POSIX shell */
const quoteShell = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A string literal of TypeScript and Python, which have the escapes of JSON. @param {string} text */
const quote = (text) => JSON.stringify(text);

/** A value as a Python literal, indented like `JSON.stringify(value, null, 4)`. @param {unknown} value @returns {string} */
function toPython(value, indent = '') {
  const inner = `${indent}    `;
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${inner}${toPython(item, inner)},\n`).join('')}${indent}]`;
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value);
    if (entries.length === 0) return '{}';
    const fields = entries.map(([name, field]) => `${inner}${JSON.stringify(name)}: ${toPython(field, inner)},\n`);
    return `{\n${fields.join('')}${indent}}`;
  }
  return JSON.stringify(value);
}

/** @param {SampleCall} call */
function writeCurl({ method, url, needsToken, body, answerType }) {
  const json =
    body === undefined ? [] : [`-H 'Content-Type: ${JSON_TYPE}'`, `-d ${quoteShell(JSON.stringify(body, null, 2))}`];
  const words = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`}${answerType === 'text/event-stream' ? ' -N' : ''} ${quoteShell(url)}`,
    ...(needsToken ? ['-H "Authorization: Bearer $MARSHAL_TOKEN"'] : []),
    ...json,
    ...(answerType.startsWith('image/') ? [`-o ${new URL(url).pathname.split('/').at(-1) ?? 'image'}`] : []),
  ];
  return words.join(' \\\n  ');
}

/** @param {SampleCall} call */
function writeTypeScript({ method, url, needsToken, body, answerType }) {
  const headers = [
    ...(needsToken ? ['Authorization: `Bearer ${process.env.MARSHAL_TOKEN}`'] : []),
    ...(body === undefined ? [] : [`'Content-Type': '${JSON_TYPE}'`]),
  ];
  const options = [
    ...(method === 'get' ? [] : [`  method: '${method.toUpperCase()}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
  ];
  const read = answerType === JSON_TYPE ? 'json' : answerType.startsWith('image/') ? 'bytes' : 'text';
  return [
    options.length === 0
      ? `const response = await fetch(${quote(url)});`
      : [`const response = await fetch(${quote(url)}, {`, ...options, '});'].join('\n'),
    'if (!response.ok) throw new Error(await response.text());',
    answerType === 'text/event-stream'
      ? 'for await (const bytes of response.body ?? []) console.log(new TextDecoder().decode(bytes));'
      : `console.log(await response.${read}());`,
  ].join('\n');
}

/** @param {SampleCall} call */
function writePython({ method, url, needsToken, body, answerType }) {
  const headers = [
    ...(needsToken ? [`'Authorization': 'Bearer ' + os.environ['MARSHAL_TOKEN']`] : []),
    ...(body === undefined ? [] : [`'Content-Type': '${JSON_TYPE}'`]),
  ];
  const options = [
    ...(method === 'get' ? [] : [`    method='${method.toUpperCase()}',`]),
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...(body === undefined ? [] : [`    data=json.dumps(${toPython(body, '    ')}).encode(),`]),
  ];
  const modules = ['json', ...(needsToken ? ['os'] : []), 'urllib.request'];
  const used = modules.filter((name) => name !== 'json' || body !== undefined || answerType === JSON_TYPE);
  const read = answerType === JSON_TYPE ? 'json.load(response)' : 'response.read()';
  return [
    `import ${used.join(', ')}`,
    '',
    options.length === 0
      ? `request = urllib.request.Request(${quote(url)})`
      : ['request = urllib.request.Request(', `    ${quote(url)},`, ...options, ')'].join('\n'),
    'with urllib.request.urlopen(request) as response:',
    ...(answerType === 'text/event-stream'
      ? ['    for line in response:', '        print(line.decode(), end="")']
      : [`    print(${read})`]),
  ].join('\n');
}

/** The languages of the samples, in the order of their tabs. @type {readonly [name: string, write: (call: SampleCall) => string][]} */
export const SAMPLE_LANGUAGES = [
  ['curl', writeCurl],
  ['TypeScript', writeTypeScript],
  ['Python', writePython],
];
