/** The API's contract as the OpenAPI document states it: operations, their inputs, and checks of their answers. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isRecord } from '#tests/harness/transports.ts';

export type Schema = Record<string, unknown>;

export interface ContractOperation {
  method: string;
  /** under the server's address, with `{name}` for parameters */
  path: string;
  /** one object of path, query and body, as both surfaces take it */
  input: Schema;
  /** fields of the input that REST takes as text, from path and query */
  inAddress: readonly string[];
  /** without one of these the address would be another one */
  inPath: readonly string[];
  hasBody: boolean;
  /** success status, from the document */
  success: number;
  statuses: readonly number[];
}

export interface Contract {
  operations: readonly ContractOperation[];
  /** The schema that a `$ref` names; a schema without one is returned as it is. */
  resolve: (schema: unknown) => Schema;
  /** The fault of an answer; null if the document allows it. @param body parsed JSON */
  faultOf: (operation: ContractOperation, status: number, body: unknown) => string | null;
}

const JSON_TYPE = 'application/json';

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** RFC 6901: `#/components/schemas/User` in the document. */
function lookUp(document: Schema, reference: string): unknown {
  return reference
    .replace('#/', '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => recordOf(at)[part], document);
}

/** @param document an OpenAPI 3.1 document, from the service */
export function readContract(document: Schema): Contract {
  const resolve = (schema: unknown): Schema => {
    const { $ref: reference, ...rest } = recordOf(schema);
    return typeof reference === 'string' ? resolve({ ...recordOf(lookUp(document, reference)), ...rest }) : rest;
  };

  const operations = Object.entries(recordOf(document.paths)).flatMap(([path, item]) =>
    Object.entries(recordOf(item)).map(([method, stated]): ContractOperation => {
      const operation = recordOf(stated);
      const parameters = listOf(operation.parameters).map(resolve);
      const body = resolve(recordOf(recordOf(resolve(operation.requestBody).content)[JSON_TYPE]).schema);
      const fields = parameters.filter((parameter) => parameter.in === 'path' || parameter.in === 'query');
      const isRequired = ({ required }: Schema) => required === true;
      const statuses = Object.keys(recordOf(operation.responses))
        .filter((status) => /^\d{3}$/.test(status))
        .map(Number);
      return {
        method,
        path,
        inAddress: fields.map(({ name }) => String(name)),
        inPath: fields.filter((field) => field.in === 'path').map(({ name }) => String(name)),
        hasBody: operation.requestBody !== undefined,
        input: {
          type: 'object',
          properties: {
            ...Object.fromEntries(fields.map((field) => [String(field.name), field.schema])),
            ...recordOf(body.properties),
          },
          required: [...fields.filter(isRequired).map(({ name }) => name), ...listOf(body.required)],
        },
        success: statuses.find((status) => status < 400) ?? 200,
        statuses,
      };
    }),
  );

  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'contract', ...document });
  const validators = new Map<string, ValidateFunction | null>();
  const validatorOf = ({ method, path }: ContractOperation, status: number): ValidateFunction | null => {
    const key = `${method} ${path} ${status}`;
    const known = validators.get(key);
    if (known !== undefined) return known;
    const stated = recordOf(recordOf(recordOf(recordOf(document.paths)[path])[method]).responses)[status];
    const { schema } = recordOf(recordOf(resolve(stated).content)[JSON_TYPE]);
    const made = schema === undefined ? null : ajv.compile(withAbsoluteReferences(schema));
    validators.set(key, made);
    return made;
  };

  return {
    operations,
    resolve,
    faultOf(operation, status, body) {
      if (status >= 500) return `answered ${status}`;
      if (!operation.statuses.includes(status)) return `answered ${status}, which is not documented`;
      const validate = validatorOf(operation, status);
      if (validate === null) return `answered JSON with ${status}, for which no schema is documented`;
      if (validate(body)) return null;
      const [first] = validate.errors ?? [];
      return `the answer ${status} breaks its schema at ${first?.instancePath || '/'}: ${first?.message}`;
    },
  };
}

/** References within the document, as ajv finds them from another schema. */
function withAbsoluteReferences(schema: unknown): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')) as Schema;
}
