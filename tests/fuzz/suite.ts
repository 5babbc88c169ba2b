/**
 * The contract fuzz: generated valid and invalid inputs of every operation, each to both surfaces of twin Marshals. Every
 * answer must be one that the OpenAPI document allows, and both surfaces must answer the same.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { REST_TABLE } from '#server/http/rest/read-operations.ts';
import { appRouter } from '#server/http/routers/app.ts';
import { OPERATIONS } from '#tests/api/http/operations.ts';
import { startCalendarServer } from '#tests/harness/calendar-server.ts';
import { changesOf, pathsOf, withChange } from '#tests/harness/junk.ts';
import { isRecord } from '#tests/harness/transports.ts';
import { readContract, type Contract, type ContractOperation, type Schema } from './contract.ts';
import { validOf } from './inputs.ts';
import { givenReach, type Reach } from './reach.ts';
import { askRest, askTrpc } from './surfaces.ts';
import { cookieFor, createComparison, startTwins, type Twins } from './twins.ts';

/** Valid and invalid inputs per operation, each sent to both surfaces; `npm run fuzz` sets more, `.ci/run` fewer. */
const INPUTS = Number(process.env.FUZZ_INPUTS ?? 300);
/** For the slowest operation, by far enough: 100 ms for each of its requests, and a minute. */
const TIMEOUT_MS = 60_000 + INPUTS * 2 * 2 * 100;
/** Different faults named per operation: one cause gives many. */
const FAULTS_NAMED = 5;

const typeOf = (procedure: string): string => {
  const found: unknown = Reflect.get(appRouter._def.procedures, procedure);
  return z.object({ _def: z.object({ type: z.string() }) }).parse(Object.assign({}, found))._def.type;
};

/** The operation of a procedure in the document. */
function operationOf(contract: Contract, procedure: string): ContractOperation {
  const row = REST_TABLE.find(([, , name]) => name === procedure);
  const path = row?.[1].replace(/:(\w+)/g, '{$1}');
  const found = contract.operations.find((one) => one.method === row?.[0] && one.path === path);
  if (!found) throw new Error(`${procedure} is not in the document`);
  return found;
}

/** No number beyond JSON's range, which reads as infinity: tRPC writes what it has read once more, and makes it null. */
function isFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isFinite);
}

/**
 * True if REST carries the input unchanged. An address holds only text, so that a number where a text belongs is a text
 * there, an empty list is nothing, and without an id the address is another one.
 */
function isPlain(operation: ContractOperation, resolve: Contract['resolve']) {
  const { inAddress, inPath, hasBody, input: schema } = operation;
  const typesOf = (name: string) => [resolve(Object(schema.properties)[name]).type].flat();
  return (input: unknown): boolean => {
    if (!isRecord(input) || !isFinite(input) || inPath.some((name) => input[name] === undefined)) return false;
    const names = hasBody ? inAddress : Object.keys(input);
    return names.every((name) => {
      const value = input[name];
      if (value === undefined) return true;
      if (typeof value === 'string') return value.isWellFormed() && value !== '' && !value.includes('\0');
      if (typeof value === 'boolean') return typesOf(name).includes('boolean');
      return Number.isSafeInteger(value) && typesOf(name).includes('integer');
    });
  };
}

/** Calls that only succeed with what a device has signed, with Discord, or where backups are made. */
const NEEDS_OTHERS: ReadonlySet<string> = new Set([
  'auth.secondFactor.addPasskey',
  'discord.leaveGuild',
  'admin.backups.start',
]);

/** Asks twins; keeps a session of the caller on each, and gets new ones when a call has ended them. */
function createCaller(twins: Twins, contract: Contract, procedure: string) {
  const operation = operationOf(contract, procedure);
  const isQuery = typeOf(procedure) === 'query';
  const difference = createComparison();
  const cookies = new Map<string, string[]>();
  const cookiesOf = async (userId: string): Promise<string[]> => {
    const known = cookies.get(userId);
    if (known) return known;
    const made = await Promise.all([twins.rest, twins.trpc].map((service) => cookieFor(service, userId)));
    cookies.set(userId, made);
    return made;
  };

  /** @returns status and fault of one input on both surfaces */
  return async (input: unknown, userId: string, more?: string): Promise<{ status: number; fault: string | null }> => {
    const [ofRest = '', ofTrpc = ''] = (await cookiesOf(userId)).map((cookie) =>
      [cookie, ...(more === undefined ? [] : [more])].join('; '),
    );
    const [rest, trpc] = await Promise.all([
      askRest(twins.rest, procedure, input, ofRest),
      askTrpc(twins.trpc, { procedure, isQuery }, input, ofTrpc),
    ]);
    if (rest.status === 401 || rest.status === 403) cookies.delete(userId);
    const body: unknown = JSON.parse(rest.text);
    const fault = contract.faultOf(operation, rest.status, body);
    if (fault !== null) return { status: rest.status, fault };
    // tRPC has no 201
    const status = rest.status === 201 ? 200 : rest.status;
    if (trpc.status !== status) return { status, fault: `REST answered ${rest.status}, tRPC ${trpc.status}` };
    const between = rest.text === trpc.text ? null : difference(body, JSON.parse(trpc.text));
    return { status: rest.status, fault: between && `the surfaces differ at ${between}` };
  };
}

interface Findings {
  faults: string[];
  statuses: ReadonlySet<number>;
}

/**
 * Send generated inputs of one operation to twins.
 * @param inputs of each kind, valid and invalid
 */
export async function examine(
  twins: Twins & { world: Reach },
  contract: Contract,
  procedure: string,
  inputs: number,
): Promise<Findings> {
  const { world, once } = twins.world;
  const ask = createCaller(twins, contract, procedure);
  const operation = operationOf(contract, procedure);
  const faults = new Set<string>();
  const statuses = new Set<number>();
  const judge = async (input: unknown, userId = world.subject.id, cookie?: string) => {
    const { status, fault } = await ask(input, userId, cookie);
    statuses.add(status);
    if (fault !== null && faults.size < FAULTS_NAMED) faults.add(`${fault}, for ${JSON.stringify(input)}`);
    return status;
  };

  const sure = once[procedure];
  const input = typeof sure?.input === 'function' ? sure.input() : sure?.input;
  if (sure && (await judge(input, sure.as, sure.cookie)) >= 300) faults.add(`refused ${JSON.stringify(input)}`);
  const usual = () => OPERATIONS[procedure]?.input(world.subject) ?? {};
  // few generated inputs may all be refused
  if (!sure) await judge(usual());
  const base = fc.constant(null).map(usual);
  const isPlainInput = isPlain(operation, contract.resolve);
  const valid = base.chain((given) => validOf(operation.input, contract.resolve, given)).filter(isPlainInput);
  for (const one of fc.sample(valid, inputs)) await judge(one);
  const changes = changesOf(pathsOf(operation.input, contract.resolve));
  const invalid = fc
    .tuple(base, changes)
    .map(([given, made]) => made.reduce<unknown>((sent, { path, value }) => withChange(sent, path, value), given))
    .filter(isPlainInput);
  for (const one of fc.sample(invalid, inputs)) await judge(one);
  return { faults: [...faults], statuses };
}

/** Twins, and the contract that they serve. */
export async function startExamination(): Promise<{ twins: Twins & { world: Reach }; document: Schema }> {
  // email is queued and never sent, because these services run no jobs
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'marshal@example.org' };
  const calendars = await startCalendarServer();
  const twins = await startTwins(
    { DEV_TOKENS: '1', WEBHOOKS_ALLOW_PRIVATE: '1', CALENDARS_ALLOW_PRIVATE: '1', ...mail },
    (service) => givenReach(service, calendars),
  );
  const stop = async () => void (await Promise.all([twins.stop(), calendars.stop()]));
  const served = await fetch(`${twins.rest.url}/api/v1/openapi.json`);
  return { twins: { ...twins, stop }, document: await served.json() };
}

/** Tests of the operations whose name the filter takes; each test file has a part, so that parts run in parallel. */
export function fuzzContract(takes: (procedure: string) => boolean): void {
  let twins: Twins & { world: Reach };
  let contract: Contract;
  beforeAll(async () => {
    const started = await startExamination();
    twins = started.twins;
    contract = readContract(started.document);
  });
  afterAll(() => twins.stop());

  const names = Object.keys(OPERATIONS).filter(takes);
  // reads first: what the writes create makes them slow
  const isRead = (name: string) => typeOf(name) === 'query';
  test.each([...names.filter(isRead), ...names.filter((name) => !isRead(name))])(
    '%s gives a documented answer to every input, the same on both surfaces, and succeeds',
    async (procedure) => {
      const { faults, statuses } = await examine(twins, contract, procedure, INPUTS);
      // as one text, which a report shows whole
      expect(faults.join('\n')).toBe('');
      expect([...statuses].some((status) => status < 300)).toBe(!NEEDS_OTHERS.has(procedure));
    },
    TIMEOUT_MS,
  );
}
