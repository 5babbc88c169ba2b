/** Checks requests and responses against Discord's schemas. Records violations, and refuses what Discord would refuse. */
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { CALLS, RATE_LIMIT, REFUSAL } from './contract-calls.ts';
import { limitsOf } from './contract-limits.ts';
import { issuesOf, type Issue } from './contract-strict.ts';
import { DiscordError, type FormErrors } from './errors.ts';
import type { World } from './state.ts';

/** An instant as Discord writes it, with an offset; its schemas expect a Z. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/;
const SNOWFLAKE_SIZED = /^\d{16,}$/;
/** discord.js always sends these, and Discord ignores them where they are unknown. */
const OVERLOOKED: Record<string, unknown> = { tts: false, enforce_nonce: false };

/** @param name of the call, for the violation. @throws DiscordError 50109 */
export function readBody(world: World, name: string, text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text, (key: string, value: unknown, context?: { source?: string }) => {
      if (typeof value === 'number' && SNOWFLAKE_SIZED.test(context?.source ?? '')) {
        world.violate(`${name}: ${key}: a snowflake as a number loses digits`);
      }
      return value;
    });
  } catch {
    world.violate(`${name}: the body is not JSON`);
    throw new DiscordError(400, 50109, 'The request body contains invalid JSON.');
  }
}

/** @throws DiscordError 50035 */
export function checkRequest(world: World, name: string, body: unknown): void {
  const schemas = CALLS[name];
  if (schemas === undefined) {
    world.violate(`${name}: there is no schema for this call`);
    return;
  }
  if (schemas.request === null) {
    if (body !== undefined) world.violate(`${name}: a body where none belongs`);
    return;
  }
  const issues = [...issuesOf(schemas.request, asSpecified(body)), ...limitsOf(name, body)];
  for (const { path, message } of issues) world.violate(`${name}: ${path || 'the body'}: ${message}`);
  const refused = issues.filter(({ isUnknownProperty }) => !isUnknownProperty);
  if (refused.length > 0) throw new DiscordError(400, 50035, 'Invalid Form Body', formErrors(refused));
}

/** Checks the emulator's answers against Discord's schemas. */
export function checkAnswer(world: World, name: string, status: number, body: unknown): void {
  const complain = ({ path, message }: Issue) =>
    world.violate(`${name} answered ${status}: ${path || 'the body'}: ${message}`);
  if (status >= 400) {
    refusalIssues(status, body).forEach(complain);
    return;
  }
  const schemas = CALLS[name];
  if (schemas === undefined || body === undefined) return;
  if (schemas.answer === null) world.violate(`${name} answered ${status} with a body`);
  else issuesOf(schemas.answer, withZuluInstants(body)).forEach(complain);
}

/** Discord's schema, and what its documentation says besides: the codes, and which of them has a tree of errors. */
function refusalIssues(status: number, body: unknown): Issue[] {
  const issues = issuesOf(status === 429 ? RATE_LIMIT : REFUSAL, body);
  if (issues.length > 0) return issues;
  const { code, errors } = body as { code: number; errors?: unknown };
  const say = (path: string, message: string) => issues.push({ path, message, isUnknownProperty: false });
  if (RESTJSONErrorCodes[code] === undefined) say('code', `${code} is no code that Discord documents`);
  if (errors !== undefined && RESTJSONErrorCodes[code] !== 'InvalidFormBodyOrContentType')
    say('errors', 'only an invalid form has errors');
  return issues;
}

/** A request in the words of the specification, which are narrower than Discord's documentation in three places. */
function asSpecified(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSpecified);
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? zulu(value) : value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key in OVERLOOKED && OVERLOOKED[key] === inner) return [];
      // permissions are text everywhere but here
      const isPermissions = key === 'default_member_permissions' && typeof inner === 'string' && /^\d+$/.test(inner);
      return [[key, isPermissions ? Number(inner) : asSpecified(inner)]];
    }),
  );
}

export function withZuluInstants(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withZuluInstants);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withZuluInstants(inner)]));
  }
  return typeof value === 'string' ? zulu(value) : value;
}

function zulu(text: string): string {
  return INSTANT.test(text) ? text.replace('+00:00', 'Z') : text;
}

function formErrors(issues: readonly Issue[]): FormErrors {
  const tree: FormErrors = {};
  for (const { path, message } of issues) {
    let at = tree;
    for (const key of path.split('.').filter((one) => one !== '')) at = (at[key] ??= {}) as FormErrors;
    const errors = (at['_errors'] ??= []) as { code: string; message: string }[];
    errors.push({ code: 'BASE_TYPE_INVALID', message });
  }
  return tree;
}
