/** The OpenAPI 3.1 document of the REST calls: schemas from zod, access from the guards, words from the procedures. */
import type { z } from 'zod';
import { appRouter } from '#server/http/routers/app.ts';
import { POLICIES, type Policy } from '#server/http/trpc.ts';
import type { OperationWords } from '#server/http/operation.ts';
import { TAGS } from '#server/http/tags.ts';
import { answerSchema } from '#server/http/typed-answer.ts';
import { CSV_ANSWERS } from './csv.ts';
import {
  createRefusalAnswers,
  HEADERS,
  headerRefs,
  refusalSchemas,
  scopeOf,
  successHeaders,
  takesKey,
  type CallFacts,
  type RefusalAnswers,
} from './openapi-answers.ts';
import { INTRODUCTION, PARAMETERS, SECURITY_SCHEMES } from './openapi-introduction.ts';
import {
  convert,
  isSchema,
  mergeInputs,
  nameOf,
  objectOf,
  refTo,
  usedSchemas,
  type JsonSchema,
  type JsonSchemas,
} from './openapi-schemas.ts';
import { FILE_CALLS, REDIRECTS, UPLOAD_CALLS, type FileCall, type Redirect, type UploadCall } from './file-calls.ts';
import { operationOf, REST_TABLE } from './read-operations.ts';

interface ProcedureDefinition {
  inputs: unknown[];
  output: unknown;
  meta:
    | { policy: Policy; isSessionOnly: boolean; mayNeedFresh: boolean; isForServers: boolean; isHeavy: boolean }
    | undefined;
}

/** What the access that a call gives says about the caller's session. */
const sessionFacts = (access: unknown) => ({
  isSessionOnly: access === 'session' || access === 'fresh',
  mayNeedFresh: access === 'fresh' || access === 'rows' || typeof access === 'function',
});

/** A procedure's input and output schemas and its guard, from the router. */
export function describeProcedure(name: string): ProcedureDefinition {
  const procedure: unknown = Reflect.get(appRouter._def.procedures, name);
  const definition: unknown = typeof procedure === 'function' ? Reflect.get(procedure, '_def') : undefined;
  if (typeof definition !== 'object' || definition === null) throw new Error(`Unknown procedure: ${name}`);
  const inputs: unknown = Reflect.get(definition, 'inputs');
  const meta: unknown = Reflect.get(definition, 'meta');
  const { policy, access, isForServers, isHeavy } = objectOf(meta);
  const known = POLICIES.find((one) => one === policy);
  return {
    inputs: Array.isArray(inputs) ? inputs : [],
    output: answerSchema(Reflect.get(definition, 'output')),
    meta: known
      ? { policy: known, ...sessionFacts(access), isForServers: isForServers === true, isHeavy: isHeavy === true }
      : undefined,
  };
}

/** A row of the REST table with everything that the document says about it. */
interface Call extends CallFacts {
  procedure: string;
  /** below /api/v1, with `{name}` for parameters */
  path: string;
  status: number;
  inputs: z.ZodType[];
  output: z.ZodType;
  docs: OperationWords;
}

/** All rows of the REST table, in its order. */
export function listCalls(): Call[] {
  return REST_TABLE.map(([method, path, procedure, status]) => {
    const { inputs, output, meta } = describeProcedure(procedure);
    if (!meta || !isSchema(output)) throw new Error(`${procedure} has no guard or no output.`);
    const docs = operationOf(procedure);
    const schemas = inputs.filter(isSchema);
    const takesBody = (method === 'post' || method === 'put') && docs.inputIn !== 'query';
    const inPath = path.split(':').length - 1;
    const fields = new Set(schemas.flatMap((schema) => Object.keys(objectOf(Reflect.get(schema, 'shape')))));
    return {
      procedure,
      path: path.replace(/:(\w+)/g, '{$1}'),
      method,
      status,
      inputs: schemas,
      output,
      docs,
      ...meta,
      hasInput: schemas.length > 0,
      hasBody: takesBody && fields.size > inPath,
      creates: method === 'post' && status === 201,
      isKeyed: docs.takesKey === true,
    };
  });
}

const ACCESS: Record<Policy, string> = {
  public: 'Anyone.',
  signedIn: 'Anyone who is signed in.',
  pilot: 'Pilots (role user).',
  selfPilot: 'The pilot, or an admin.',
  admin: 'Admins.',
};

const securityOf = (call: Pick<CallFacts, 'policy' | 'isSessionOnly'>): JsonSchema[] => {
  if (call.policy === 'public') return [];
  return call.isSessionOnly ? [{ session: [] }] : [{ session: [] }, { token: [] }];
};

/** Access to a call, in words and as extensions: a security requirement cannot name the scope of a bearer token. */
function accessOf(call: CallFacts, description?: string): JsonSchema {
  const scope = scopeOf(call);
  const ofToken = call.isSessionOnly ? ' Not with a token.' : scope === null ? '' : ` Scope of a token: \`${scope}\`.`;
  return {
    description: [description, `Who may call: ${ACCESS[call.policy]}${ofToken}`].filter(Boolean).join('\n\n'),
    'x-access': ACCESS[call.policy],
    ...(scope === null ? {} : { 'x-scope': scope }),
  };
}

/** A parameter of the path or the query. Its description stands beside the schema, where all tools look for it. */
function parameter(name: string, schema: JsonSchema, isInPath: boolean, isRequired: boolean): JsonSchema {
  const { description, examples, type, ...rest } = schema;
  // a query has no null
  const types = Array.isArray(type) ? (type as unknown[]).find((one) => one !== 'null') : type;
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
  return {
    name,
    in: isInPath ? 'path' : 'query',
    required: isInPath || isRequired,
    ...(description === undefined ? {} : { description }),
    schema: types === undefined ? rest : { type: types, ...rest },
    ...(example === undefined ? {} : { example }),
  };
}

type MergedInput = ReturnType<typeof mergeInputs>;

/** Parameters of a call without a body, or only those in the path. */
function parametersOf(path: string, { properties, required }: MergedInput, withQuery: boolean): JsonSchema[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inQuery = withQuery ? Object.keys(properties).filter((name) => !inPath.includes(name)) : [];
  return [...inPath, ...inQuery].map((name) =>
    parameter(name, properties[name] ?? { type: 'string' }, inPath.includes(name), required.includes(name)),
  );
}

const KEY_PARAMETER = { $ref: '#/components/parameters/IdempotencyKey' };
const ETAG_PARAMETER = { $ref: '#/components/parameters/IfNoneMatch' };
const CSV_CONTENT = { 'text/csv': { schema: { type: 'string' } } };
const NOT_MODIFIED = { $ref: '#/components/responses/NotModified' };

/** The body of a call: its input without the parameters in the path, as a component with the name of the input or the operation. */
function bodyOf(
  { path, docs }: Call,
  { name = docs.id.charAt(0).toUpperCase() + docs.id.slice(1), description, properties, required }: MergedInput,
  bodies: JsonSchemas,
): JsonSchema {
  const fields = Object.entries(properties).filter(([key]) => !path.includes(`{${key}}`));
  const needed = required.filter((key) => fields.some(([field]) => field === key));
  const schema = {
    type: 'object',
    description: description ?? `Input of \`${docs.id}\`.`,
    properties: Object.fromEntries(fields),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
  bodies[name] = schema;
  return {
    required: needed.length > 0,
    content: { 'application/json': { schema: refTo(name) } },
  };
}

interface Parts {
  inputs: ReturnType<typeof convert>;
  outputs: ReturnType<typeof convert>;
  /** components for bodies, which the operations add */
  bodies: JsonSchemas;
  refusals: RefusalAnswers;
}

function isPage(json: JsonSchema, named: JsonSchemas): boolean {
  const properties = objectOf(objectOf(named[nameOf(json) ?? ''] ?? json).properties);
  return 'page' in properties && 'pageSize' in properties;
}

function operation(call: Call, { inputs, outputs, bodies, refusals }: Parts): JsonSchema {
  const { docs, procedure, path, status, method } = call;
  const steps = call.inputs.map((_, index) => inputs.schemas[`${procedure} ${index}`] ?? {});
  const input = mergeInputs(steps, inputs.named);
  const schema = outputs.schemas[procedure] ?? {};
  const described = objectOf(outputs.named[nameOf(schema) ?? '']);
  return {
    operationId: docs.id,
    tags: [docs.tag],
    summary: docs.summary,
    ...accessOf(call, docs.description),
    'x-procedure': procedure,
    security: securityOf(call),
    parameters: [
      ...parametersOf(path, input, !call.hasBody),
      ...(takesKey(call) ? [KEY_PARAMETER] : []),
      ...(method === 'get' ? [ETAG_PARAMETER] : []),
    ],
    ...(call.hasBody ? { requestBody: bodyOf(call, input, bodies) } : {}),
    responses: {
      [status]: {
        description: docs.answer ?? schema.description ?? described.description ?? 'The result.',
        headers: successHeaders(call, {
          isPage: isPage(schema, outputs.named),
          setsCookie: docs.setsCookie === true,
        }),
        content: { 'application/json': { schema }, ...(procedure in CSV_ANSWERS ? CSV_CONTENT : {}) },
      },
      ...(method === 'get' ? { 304: NOT_MODIFIED } : {}),
      ...refusals.of(call, docs.refusals ?? []),
    },
  };
}

/** Calls without a row in the table: files, the event stream. */
function fileOperation({ docs, path, policy, input, answer }: FileCall, { inputs, refusals }: Parts): JsonSchema {
  const facts: CallFacts = {
    method: 'get',
    policy,
    hasInput: input !== null,
    hasBody: false,
    creates: false,
    isKeyed: false,
    isSessionOnly: false,
    mayNeedFresh: false,
    isHeavy: false,
  };
  const merged = mergeInputs(input === null ? [] : [inputs.schemas[docs.id] ?? {}], inputs.named);
  const isFile = answer.type !== 'text/event-stream';
  return {
    operationId: docs.id,
    tags: [docs.tag],
    summary: docs.summary,
    ...accessOf(facts, docs.description),
    security: securityOf(facts),
    parameters: [...parametersOf(path, merged, true), ...(isFile ? [ETAG_PARAMETER] : [])],
    responses: {
      200: {
        description: answer.description,
        headers: headerRefs(['RequestId', ...(isFile ? (['ETag'] as const) : [])]),
        content: { [answer.type]: { schema: answer.schema } },
      },
      ...(isFile ? { 304: NOT_MODIFIED } : {}),
      ...refusals.of(facts, docs.refusals ?? []),
    },
  };
}

/** A call whose body is a file. */
function uploadOperation({ docs, path, policy, body }: UploadCall, { inputs, outputs, refusals }: Parts): JsonSchema {
  const facts: CallFacts = {
    method: 'post',
    policy,
    hasInput: true,
    hasBody: false,
    creates: false,
    isKeyed: false,
    isSessionOnly: false,
    mayNeedFresh: false,
    isHeavy: false,
  };
  const schema = outputs.schemas[docs.id] ?? {};
  const described = objectOf(outputs.named[nameOf(schema) ?? '']);
  return {
    operationId: docs.id,
    tags: [docs.tag],
    summary: docs.summary,
    ...accessOf(facts, docs.description),
    security: securityOf(facts),
    parameters: parametersOf(path, mergeInputs([inputs.schemas[docs.id] ?? {}], inputs.named), true),
    requestBody: {
      required: true,
      description: body.description,
      content: { [body.type]: { schema: { type: 'string', contentMediaType: body.type } } },
    },
    responses: {
      200: {
        description: described.description ?? 'The result.',
        headers: successHeaders(facts, { isPage: false, setsCookie: false }),
        content: { 'application/json': { schema } },
      },
      ...refusals.of(facts, docs.refusals ?? []),
    },
  };
}

const REDIRECT_FACTS: CallFacts = {
  method: 'get',
  policy: 'public',
  hasInput: true,
  hasBody: false,
  creates: false,
  isKeyed: false,
  isSessionOnly: false,
  mayNeedFresh: false,
  isHeavy: false,
};

/** Page loads of a browser. Most refusals are redirects, too: to a page that explains them. */
function redirectOperation({ docs, path, answer }: Redirect, { inputs, refusals }: Parts): JsonSchema {
  const { 400: unreadable, 404: missing } = refusals.of(REDIRECT_FACTS, ['NOT_FOUND']);
  const merged = mergeInputs([inputs.schemas[docs.id] ?? {}], inputs.named);
  return {
    operationId: docs.id,
    tags: [docs.tag],
    summary: docs.summary,
    ...accessOf(REDIRECT_FACTS, docs.description),
    security: [],
    parameters: parametersOf(path, merged, true),
    responses: {
      303: { description: answer, headers: headerRefs(['RequestId', 'Location', 'SetCookie']) },
      400: unreadable,
      404: missing,
      default: { $ref: '#/components/responses/Refused' },
    },
  };
}

const headerComponents = () =>
  Object.fromEntries(
    Object.entries(HEADERS).map(([key, { description, schema, example }]) => [key, { description, schema, example }]),
  );

/** The whole document. It does not depend on the installation: the server's address is relative. */
export function createOpenApi(): JsonSchema {
  const calls = listCalls();
  const stepsOf = ({ procedure, inputs }: Call) =>
    inputs.map((schema, index) => [`${procedure} ${index}`, schema] as const);
  const others = [...FILE_CALLS, ...UPLOAD_CALLS, ...REDIRECTS].flatMap(({ docs, input }) =>
    input ? [[docs.id, input] as const] : [],
  );
  const answers = convert(refusalSchemas, 'output');
  const parts: Parts = {
    inputs: convert(Object.fromEntries([...calls.flatMap(stepsOf), ...others]), 'input'),
    outputs: convert(
      Object.fromEntries([
        ...calls.map(({ procedure, output }) => [procedure, output] as const),
        ...UPLOAD_CALLS.map(({ docs, answer }) => [docs.id, answer] as const),
      ]),
      'output',
    ),
    bodies: {},
    refusals: createRefusalAnswers(),
  };
  const paths: Record<string, JsonSchema> = {};
  for (const call of calls) paths[call.path] = { ...paths[call.path], [call.method]: operation(call, parts) };
  for (const call of FILE_CALLS) paths[call.path] = { ...paths[call.path], get: fileOperation(call, parts) };
  for (const call of UPLOAD_CALLS) paths[call.path] = { ...paths[call.path], post: uploadOperation(call, parts) };
  for (const call of REDIRECTS) paths[call.path] = { ...paths[call.path], get: redirectOperation(call, parts) };
  const responses = {
    NotModified: {
      description: 'The answer has not changed since the one with this `ETag`.',
      headers: headerRefs(['RequestId', 'ETag']),
    },
    Refused: {
      description: 'The request is refused.',
      headers: headerRefs(['RequestId']),
      content: { 'application/json': { schema: refTo('Refusal') } },
    },
    ...parts.refusals.components(),
  };
  const named = { ...parts.inputs.named, ...parts.bodies, ...parts.outputs.named, ...answers.named };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Marshal',
      version: '1',
      summary: 'Mission scheduling and pilot matchmaking for flight-simulation communities.',
      description: INTRODUCTION,
      contact: { name: 'The admins of this Marshal' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1', description: 'This installation.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: usedSchemas([paths, responses], named),
      responses,
      parameters: PARAMETERS,
      headers: headerComponents(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
