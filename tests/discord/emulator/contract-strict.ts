/**
 * Discord's schemas, made strict: unknown properties are violations. The package's own switch has no effect in modules,
 * because it creates the schemas when it is loaded.
 */
import { core, z } from 'zod';

export type Schema = core.$ZodType;

export interface Issue {
  path: string;
  message: string;
  /** a property that Discord would overlook, where everything else is refused */
  isUnknownProperty: boolean;
}

interface Parts {
  type: string;
  shape?: Record<string, Schema>;
  catchall?: Schema;
  element?: Schema;
  options?: Schema[];
  innerType?: Schema;
  valueType?: Schema;
  getter?: () => Schema;
  left?: Schema;
  right?: Schema;
}

const made = new WeakMap<Schema, Schema>();

/** The same schema, refusing unknown properties at every depth. An intersection of objects becomes one object: each half lacks the other's. */
function strict(schema: Schema): Schema {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const parts = schema._zod.def as unknown as Parts;
  const merged = parts.type === 'intersection' ? shapeOf(schema) : null;
  const changed = strictParts(parts);
  const same = changed === null ? schema : core.clone(schema, { ...parts, ...changed } as never);
  const result = merged === null ? same : strict(z.object(merged));
  made.set(schema, result);
  return result;
}

/** The properties of an object, or of all objects in an intersection; null for anything else. */
function shapeOf(schema: Schema | undefined): Record<string, Schema> | null {
  if (schema === undefined) return null;
  const { type, shape, left, right, getter } = schema._zod.def as unknown as Parts;
  if (type === 'lazy') return shapeOf(getter?.());
  if (type === 'object') return shape ?? {};
  if (type !== 'intersection') return null;
  const [one, other] = [shapeOf(left), shapeOf(right)];
  return one === null || other === null ? null : { ...one, ...other };
}

function strictParts(parts: Parts): object | null {
  const { shape, catchall = z.never(), element, options, innerType, valueType, getter } = parts;
  switch (parts.type) {
    case 'object':
      return {
        shape: Object.fromEntries(Object.entries(shape ?? {}).map(([name, inner]) => [name, strict(inner)])),
        catchall,
      };
    case 'array':
      return element === undefined ? null : { element: strict(element) };
    case 'union':
      return { options: (options ?? []).map(strict) };
    case 'nullable':
    case 'optional':
      return innerType === undefined ? null : { innerType: strict(innerType) };
    case 'record':
      return valueType === undefined ? null : { valueType: strict(valueType) };
    case 'lazy':
      return getter === undefined ? null : { getter: () => strict(getter()) };
    default:
      return null;
  }
}

/** The errors of a value; [] if it is valid. */
export function issuesOf(schema: Schema, value: unknown): Issue[] {
  const result = core.safeParse(strict(schema), value);
  return result.success ? [] : result.error.issues.flatMap((issue) => leaves(issue, []));
}

/** Reduces the errors of a union to those of the closest alternative. */
function leaves(issue: core.$ZodIssue, above: readonly PropertyKey[]): Issue[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const alternatives = issue.errors.map((errors) => errors.flatMap((one) => leaves(one, path)));
    return alternatives.toSorted((a, b) => distance(a) - distance(b))[0] ?? [];
  }
  const where = path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...where, key].join('.'),
      message: 'is no property that Discord knows',
      isUnknownProperty: true,
    }));
  }
  return [{ path: where.join('.'), message: issue.message, isUnknownProperty: false }];
}

/** The distance of an alternative from the value; a different `type` counts most. */
function distance(issues: readonly Issue[]): number {
  return issues.reduce((sum, { path }) => sum + (/(^|\.)(type|entity_type)$/.test(path) ? 100 : 1), 0);
}
