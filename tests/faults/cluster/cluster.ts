/**
 * A whole installation of several machines, as docker/compose.scale.yaml describes it and with its configuration: etcd, three
 * PostgreSQL under Patroni, HAProxy, three servers. The programs are Debian's.
 */
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { findNode } from '#server/cli/pinned-node.js';
import { ROOT } from '#server/cli/programs.js';
import { DEBIAN_POSTGRES } from './needs.js';
import { type Machine, makeNetwork } from './machines.ts';

const DATABASES = ['postgres-1', 'postgres-2', 'postgres-3'];
const SERVERS = ['marshal-1', 'marshal-2', 'marshal-3'];
const NAMES = ['etcd', ...DATABASES, ...SERVERS, 'haproxy'];
const PASSWORD = 'a-password-of-the-drill';
const START_MS = 90_000;
export interface Cluster {
  /** where browsers and scripts reach Marshal */
  url: string;
  /** direct connection to the database, through HAProxy */
  databaseUrl: string;
  servers: readonly Machine[];
  /** The node that is the primary now. */
  findLeader: () => Promise<Machine>;
  /** Start a node, or a server, that was killed. */
  start: (machine: Machine) => void;
  /** kill -9 for the PostgreSQL of a node, not for its Patroni */
  killPostgres: (node: Machine) => void;
  /** Hand the leadership over in order. */
  switchOver: (from: Machine) => Promise<void>;
  /** Wait until every node streams from the leader again, one of them synchronously. */
  healed: () => Promise<void>;
  logs: string;
  stop: () => void;
}

const statusOf = async (address: string, path: string): Promise<number> =>
  (await fetch(`http://${address}:8008${path}`, { signal: AbortSignal.timeout(1_500) }).catch(() => null))?.status ?? 0;

/** @param prepare makes what the servers need on the cluster's network @returns settings of the servers, on top of the cluster's */
export async function startCluster(prepare: () => Promise<Record<string, string>>): Promise<Cluster> {
  const home = mkdtempSync(join(tmpdir(), 'marshal-cluster-'));
  chmodSync(home, 0o755);
  const logs = join(home, 'logs');
  mkdirSync(logs);
  const postgresVersion = readdirSync(DEBIAN_POSTGRES).toSorted().at(-1) ?? '';
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })));
  // as in containers, HAProxy knows the names of those that run
  const { machines, names, remove } = await makeNetwork(NAMES, { asking: ['haproxy'], logs });
  let env: Record<string, string> = {};
  const of = (name: string): Machine => {
    const machine = machines[name];
    if (!machine) throw new Error(`there is no machine ${name}`);
    return machine;
  };
  const nodes = DATABASES.map(of);
  const servers = SERVERS.map(of);
  const gate = of('haproxy');
  const url = `http://${gate.address}:3000`;
  const databaseUrl = `postgresql://marshal:${PASSWORD}@${gate.address}:5432/marshal`;

  function startNode(node: Machine): void {
    names.set(node.name, node.address);
    const data = join(home, node.name);
    if (!existsSync(data)) {
      mkdirSync(data, { mode: 0o700 });
      chownSync(data, uid ?? 0, gid ?? 0);
    }
    node.run('/usr/bin/patroni', [join(ROOT, 'docker', 'scale', 'patroni.yaml')], {
      user: 'postgres',
      env: {
        HOME: data,
        PATRONI_NAME: node.name,
        PATRONI_ETCD3_HOST: 'etcd:2379',
        PATRONI_RESTAPI_LISTEN: '0.0.0.0:8008',
        PATRONI_RESTAPI_CONNECT_ADDRESS: `${node.name}:8008`,
        PATRONI_POSTGRESQL_LISTEN: '*:5432',
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${node.name}:5432`,
        PATRONI_POSTGRESQL_DATA_DIR: join(data, 'data'),
        PATRONI_POSTGRESQL_PGPASS: join(data, 'pgpass'),
        PATRONI_POSTGRESQL_BIN_DIR: join(DEBIAN_POSTGRES, postgresVersion, 'bin'),
        PATRONI_SUPERUSER_USERNAME: 'postgres',
        PATRONI_SUPERUSER_PASSWORD: PASSWORD,
        PATRONI_REPLICATION_USERNAME: 'replicator',
        PATRONI_REPLICATION_PASSWORD: PASSWORD,
      },
    });
  }

  function startServer(server: Machine): void {
    names.set(server.name, server.address);
    server.run(findNode(), [join(ROOT, 'server', 'main.ts')], {
      env: {
        HOST: '0.0.0.0',
        PORT: '3000',
        PUBLIC_URL: url,
        ALLOW_INSECURE_HTTP: '1',
        TRUST_PROXY: '1',
        DATABASE_URL: databaseUrl,
        DATABASE_REPLICA_URL: databaseUrl.replace(':5432/', ':5433/'),
        DATA_DIR: join(home, server.name),
        SAMPLE_COMMUNITY: 'off',
        AUTH_ATTEMPTS_PER_MINUTE: '0',
        WRITES_PER_MINUTE: '0',
        LOG_LEVEL: 'warn',
        ...env,
      },
    });
  }

  const findLeader = async (): Promise<Machine> => {
    const leads = await Promise.all(nodes.map(({ address }) => statusOf(address, '/primary')));
    const leader = nodes[leads.indexOf(200)];
    if (!leader) throw new Error('there is no primary');
    return leader;
  };
  const until = (condition: () => Promise<boolean>) =>
    vi.waitUntil(() => condition().catch(() => false), { timeout: START_MS, interval: 200 });
  const healed = async () => {
    await until(async () => {
      const states = await Promise.all(nodes.map(({ address }) => statusOf(address, '/health')));
      const sync = await Promise.all(nodes.map(({ address }) => statusOf(address, '/synchronous')));
      return states.every((state) => state === 200) && sync.includes(200);
    });
  };

  const stop = (): void => {
    remove();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    env = await prepare();
    const etcd = of('etcd');
    const listening = (port: number) => `http://0.0.0.0:${port}`;
    etcd.run('/usr/bin/etcd', [
      '--name',
      'etcd',
      '--data-dir',
      join(home, 'etcd'),
      '--listen-client-urls',
      listening(2379),
      '--advertise-client-urls',
      'http://etcd:2379',
      '--listen-peer-urls',
      listening(2380),
    ]);
    gate.run('/usr/sbin/haproxy', ['-db', '-f', join(ROOT, 'docker', 'scale', 'haproxy.cfg')]);
    const [first] = nodes;
    if (!first) throw new Error('there is no node');
    for (const node of nodes) startNode(node);
    await until(async () => Boolean(await findLeader()));
    const leader = await findLeader();
    const psql = (database: string, sql: string) =>
      leader.call(
        join(DEBIAN_POSTGRES, postgresVersion, 'bin', 'psql'),
        ['-h', leader.address, '-U', 'postgres', '-d', database, '-c', sql],
        {
          env: { PGPASSWORD: PASSWORD },
        },
      );
    psql('postgres', `create role marshal login password '${PASSWORD}'`);
    psql('postgres', 'create database marshal owner marshal');
    await healed();
    for (const server of servers) startServer(server);
    await until(async () => {
      const ready = await Promise.all(
        servers.map(async ({ address }) => (await fetch(`http://${address}:3000/readyz`).catch(() => null))?.status),
      );
      return ready.every((status) => status === 200) && (await fetch(`${url}/readyz`)).status === 200;
    });
  } catch (error) {
    remove();
    throw new Error(`The cluster did not start; its logs are in ${logs}.`, { cause: error });
  }

  return {
    url,
    databaseUrl,
    servers,
    findLeader,
    healed,
    logs,
    stop,
    start: (machine) => (servers.includes(machine) ? startServer(machine) : startNode(machine)),
    killPostgres(node) {
      const [pid = ''] = execFileSync('cat', [join(home, node.name, 'data', 'postmaster.pid')], {
        encoding: 'utf8',
      }).split('\n');
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
