/**
 * Machines of a cluster on this one: each is a network namespace with an address and a name, so that it can be killed as a
 * whole and cut from the network. Needs root.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Names, serveNames } from './names.ts';

const BRIDGE = 'marshal-drill';
const PREFIX = '10.77.0';
/** Where the machines reach what the test itself runs. */
export const HOST_ADDRESS = `${PREFIX}.1`;

/** @param moved how often the machine got another one */
const addressAt = (index: number, moved = 0): string => `${PREFIX}.${index + 10 + moved * 50}`;

export interface Machine {
  name: string;
  /** changes with `move` */
  readonly address: string;
  /** @param user runs the program; root by default */
  run: (
    program: string,
    args: readonly string[],
    options?: { env?: Record<string, string>; user?: string },
  ) => ChildProcess;
  /** of everything that runs on it */
  pids: () => number[];
  /** kill -9 for all of them */
  kill: () => void;
  /** Take it off the network, or put it back. */
  setLink: (state: 'up' | 'down') => void;
  /** Give it another address, as a container gets when it is made again. */
  move: () => void;
}

export interface Network {
  machines: Record<string, Machine>;
  /** no name is known until it is set */
  names: Names;
  remove: () => void;
}

const ip = (...args: string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const quietly = (...args: string[]): void => {
  try {
    ip(...args);
  } catch {
    // it is not there
  }
};

function asUser(user: string | undefined, program: string, args: readonly string[]): string[] {
  const identity = user === undefined ? [] : ['setpriv', '--reuid', user, '--regid', user, '--init-groups'];
  return [...identity, program, ...args];
}

function makeMachine(name: string, index: number, logs: string): Machine {
  const space = `${BRIDGE}-${name}`;
  let address = addressAt(index);
  let moved = 0;
  const link = `md${index}`;
  ip('netns', 'add', space);
  ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
  ip('link', 'set', link, 'master', BRIDGE, 'up');
  for (const args of [
    ['addr', 'add', `${address}/24`, 'dev', 'eth0'],
    ['link', 'set', 'eth0', 'up'],
    ['link', 'set', 'lo', 'up'],
  ]) {
    ip('-n', space, ...args);
  }
  const commandOf = (user: string | undefined, program: string, args: readonly string[]) => [
    'netns',
    'exec',
    space,
    ...asUser(user, program, args),
  ];
  const pids = () => ip('netns', 'pids', space).split('\n').filter(Boolean).map(Number);
  return {
    name,
    get address() {
      return address;
    },
    run(program, args, { env = {}, user } = {}) {
      const child = spawn('ip', commandOf(user, program, args), {
        env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const log = createWriteStream(join(logs, `${name}.log`), { flags: 'a' });
      child.stdout.pipe(log, { end: false });
      child.stderr.pipe(log, { end: false });
      return child;
    },
    pids,
    kill() {
      for (const pid of pids()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // it has ended by itself
        }
      }
    },
    setLink: (state) => void ip('link', 'set', link, state),
    move() {
      ip('-n', space, 'addr', 'del', `${address}/24`, 'dev', 'eth0');
      moved += 1;
      address = addressAt(index, moved);
      ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    },
  };
}

/**
 * @param names of the machines, by which they find each other when they ask for them, as containers do
 * @param isSilent as in `serveNames`
 * @param logs folder of their output
 */
export async function makeNetwork(
  names: readonly string[],
  { isSilent, logs }: { isSilent: boolean; logs: string },
): Promise<Network> {
  const begun: Names[] = [];
  const remove = (): void => {
    for (const one of begun.splice(0)) one.stop();
    for (const machine of Object.values(machines)) machine.kill();
    for (const [index, name] of names.entries()) {
      quietly('link', 'del', `md${index}`);
      quietly('netns', 'del', `${BRIDGE}-${name}`);
      rmSync(`/etc/netns/${BRIDGE}-${name}`, { recursive: true, force: true });
    }
    quietly('link', 'del', BRIDGE);
  };
  const machines: Record<string, Machine> = {};
  // what a run that was killed left behind
  remove();
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('addr', 'add', `${HOST_ADDRESS}/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
  const served = await serveNames(HOST_ADDRESS, isSilent);
  begun.push(served);
  for (const [index, name] of names.entries()) {
    const folder = `/etc/netns/${BRIDGE}-${name}`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost\n');
    writeFileSync(join(folder, 'resolv.conf'), `nameserver ${HOST_ADDRESS}\n`);
    machines[name] = makeMachine(name, index, logs);
  }
  return { machines, names: served, remove };
}
