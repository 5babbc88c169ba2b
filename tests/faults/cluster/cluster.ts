/**
 * A whole installation of several machines: the services of docker/compose.scale.yaml in the order that Compose would choose, with
 * their shipped configuration, each on a machine of its own. The programs are Debian's.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import { NODE_COMPILE_CACHE } from '#server/cli/bootstrap.js';
import { findNode } from '#server/cli/pinned-node.js';
import { readServices, type Service, startInOrder } from './compose.ts';
import { type Machine, makeNetwork } from './machines.ts';

const FILE = 'compose.scale.yaml';
/** Letters that break addresses, shells and statements where they are not escaped. */
const PASSWORDS = {
  DATABASE_PASSWORD: 'p@ss/w+rd=#1',
  PATRONI_SUPERUSER_PASSWORD: `su:per'u%ser`,
  PATRONI_REPLICATION_PASSWORD: 'repl&ica?tor',
};
const START_MS = 180_000;

export interface Cluster {
  /** where browsers and scripts reach Marshal */
  url: string;
  /** direct connection to the database, through HAProxy */
  databaseUrl: string;
  servers: readonly Machine[];
  /** with PostgreSQL */
  nodes: readonly Machine[];
  /** how long each service took until it was well, from the start of the first one, ms */
  wellAfterMs: Readonly<Record<string, number>>;
  /** The node that is the primary now. */
  findLeader: () => Promise<Machine>;
  /** Start a node, or a server, that was killed. */
  start: (machine: Machine) => void;
  /** Stop a container, and make another one in its place, with another address; it does not run yet. */
  recreate: (machine: Machine) => Promise<void>;
  /** What HAProxy says of a server: `UP`, `DOWN`, `MAINT` while it has no address, or another state. */
  stateOf: (backend: string, server: string) => Promise<string>;
  /** kill -9 for the PostgreSQL of a node, not for its Patroni */
  killPostgres: (node: Machine) => void;
  /** Hand the leadership over in order. */
  switchOver: (from: Machine) => Promise<void>;
  /** Wait until every node streams from the leader again, one of them synchronously. */
  healed: () => Promise<void>;
  /** Run a command where a service runs, with its settings. @returns its output */
  exec: (name: string, command: readonly string[]) => Promise<{ code: number; output: string }>;
  logs: string;
  stop: () => void;
}

interface Options {
  /** Makes what the servers need on the cluster's network. @returns settings of `.env`, on top of the cluster's */
  prepare?: () => Promise<Record<string, string>>;
  /** Start what does not wait for anything in the opposite order. */
  isReversed?: boolean;
  /** as in `serveNames` */
  isSilent?: boolean;
}

const statusOf = async (address: string, path: string): Promise<number> =>
  (await fetch(`http://${address}:8008${path}`, { signal: AbortSignal.timeout(1_500) }).catch(() => null))?.status ?? 0;
const until = (condition: () => Promise<boolean>) =>
  vi.waitUntil(() => condition().catch(() => false), { timeout: START_MS, interval: 100 });

export async function startCluster({
  prepare = () => Promise.resolve({}),
  isReversed = false,
  isSilent = false,
}: Options = {}): Promise<Cluster> {
  const home = mkdtempSync(join(tmpdir(), 'marshal-cluster-'));
  chmodSync(home, 0o755);
  const logs = join(home, 'logs');
  mkdirSync(logs);
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })));
  const volumeAt = (volume: string): string => join(home, volume);
  const read = (settings: Record<string, string>) => {
    const lines = Object.entries({ ...PASSWORDS, ...settings }).map(([name, value]) => `${name}="${value}"\n`);
    return readServices(FILE, lines.join(''), volumeAt);
  };
  let services = read({});
  const { machines, names, remove } = await makeNetwork(
    services.map(({ name }) => name),
    { isSilent, logs },
  );
  const of = (name: string): Machine => {
    const machine = machines[name];
    if (!machine) throw new Error(`there is no machine ${name}`);
    return machine;
  };
  const having = (program: string) => services.flatMap(({ name, args }) => (args.includes(program) ? [of(name)] : []));
  const nodes = services.flatMap(({ name, user }) => (user === 'postgres' && name !== 'database' ? [of(name)] : []));
  const servers = having('server/main.ts');
  const gate = of('haproxy');
  const url = `http://${gate.address}:3000`;
  const databaseUrl = `postgresql://marshal:${encodeURIComponent(PASSWORDS.DATABASE_PASSWORD)}@${gate.address}:5432/marshal`;
  const local = {
    PATH: `${dirname(findNode())}:${process.env.PATH}`,
    HOME: home,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? NODE_COMPILE_CACHE,
  };
  /** exit codes of what has ended by itself */
  const ended = new Map<string, Promise<number>>();
  const endedBadly: string[] = [];
  const wellAfterMs: Record<string, number> = {};

  function run(service: Service): void {
    const machine = of(service.name);
    names.set(machine.name, machine.address);
    const child = machine.run(service.program, service.args, {
      env: { ...local, ...service.env },
      ...(service.user === undefined ? {} : { user: service.user }),
    });
    const code = once(child, 'exit').then(([status]) => Number(status ?? -1));
    ended.set(service.name, code);
    void code.then((status) => {
      if (service.stays && status >= 0) endedBadly.push(`${service.name} ended with ${status}`);
    });
  }
  const serviceOf = (name: string): Service => {
    const service = services.find((one) => one.name === name);
    if (!service) throw new Error(`there is no service ${name}`);
    return service;
  };
  async function exec(name: string, [program = '', ...args]: readonly string[]) {
    const { env, user } = serviceOf(name);
    const child = of(name).run(program, args, { env: { ...local, ...env }, ...(user === undefined ? {} : { user }) });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    const [code] = await once(child, 'close');
    return { code: Number(code ?? -1), output };
  }
  const isWell = async ({ name, check }: Service) => (await exec(name, check)).code === 0;

  const findLeader = async (): Promise<Machine> => {
    const leads = await Promise.all(nodes.map(({ address }) => statusOf(address, '/primary')));
    const leader = nodes[leads.indexOf(200)];
    if (!leader) throw new Error('there is no primary');
    return leader;
  };
  const healed = async () => {
    await until(async () => {
      const states = await Promise.all(nodes.map(({ address }) => statusOf(address, '/health')));
      const sync = await Promise.all(nodes.map(({ address }) => statusOf(address, '/synchronous')));
      return states.every((state) => state === 200) && sync.includes(200);
    });
  };

  try {
    services = read({
      PUBLIC_URL: url,
      ALLOW_INSECURE_HTTP: '1',
      AUTH_ATTEMPTS_PER_MINUTE: '0',
      WRITES_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      ...(await prepare()),
    });
    for (const { name, user } of services) {
      if (user === undefined || existsSync(volumeAt(name))) continue;
      mkdirSync(volumeAt(name), { mode: 0o700 });
      chownSync(volumeAt(name), uid ?? 0, gid ?? 0);
    }
    const beganMs = performance.now();
    await startInOrder(isReversed ? services.toReversed() : services, run, async (service, condition) => {
      if (condition === 'service_healthy') await until(() => isWell(service));
      if (condition !== 'service_completed_successfully') return;
      const code = await ended.get(service.name);
      if (code !== 0) throw new Error(`${service.name} ended with ${code}`);
    });
    await Promise.all(
      services
        .filter(({ stays }) => stays)
        .map(async (service) => {
          await until(() => isWell(service));
          wellAfterMs[service.name] = Math.round(performance.now() - beganMs);
        }),
    );
    await healed();
    await until(async () => (await fetch(`${url}/readyz`)).status === 200);
    wellAfterMs['the address'] = Math.round(performance.now() - beganMs);
    if (endedBadly.length > 0) throw new Error(endedBadly.join(', '));
  } catch (error) {
    remove();
    throw new Error(`The cluster did not start; its logs are in ${logs}.`, { cause: error });
  }

  const start = (machine: Machine): void => run(serviceOf(machine.name));
  return {
    url,
    databaseUrl,
    servers,
    nodes,
    wellAfterMs,
    findLeader,
    healed,
    logs,
    exec,
    start,
    stop() {
      remove();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
    async recreate(machine) {
      machine.kill();
      await ended.get(machine.name);
      names.forget(machine.name);
      machine.move();
    },
    async stateOf(backend, server) {
      const text = await (await fetch(`http://${gate.address}:8405/metrics`)).text();
      const states = text.matchAll(/^haproxy_server_status\{proxy="(.*?)",server="(.*?)",state="(.*?)"\} 1$/gm);
      return [...states].find((match) => match[1] === backend && match[2] === server)?.[3] ?? '';
    },
    killPostgres(node) {
      const [pid = ''] = readFileSync(join(volumeAt(node.name), 'data', 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
    },
    async switchOver(from) {
      await fetch(`http://${from.address}:8008/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader: from.name }),
      });
    },
  };
}
