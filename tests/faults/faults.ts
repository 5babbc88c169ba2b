/** Faults of the chaos drill: cut connections, wrong clocks, a full disk, processes that stand still. */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';

const FAKE_CLOCK = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`;

export interface Link {
  port: number;
  /** Reset about this share of its open connections. */
  cut: (share: number) => void;
  close: () => void;
}

/** A TCP connection between two parts that can be cut. @param portOf the part behind it, asked for every connection */
export async function startLink(portOf: () => number): Promise<Link> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(portOf(), '127.0.0.1');
    near.pipe(far).pipe(near);
    open.add(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        other.destroy();
        open.delete(near);
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut(share) {
      for (const socket of open) if (Math.random() < share) socket.resetAndDestroy();
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

export interface Clock {
  /** variables of a process whose wall clock this is */
  env: Record<string, string>;
  /** Put it this many seconds before or after the right time, at once. */
  jump: (seconds: number) => void;
}

/** A wall clock of one process, by libfaketime; null if it is not installed. The monotonic clock goes on. */
export function makeClock(directory: string, name: string): Clock | null {
  if (!existsSync(FAKE_CLOCK)) return null;
  const file = join(directory, `${name}.clock`);
  writeFileSync(file, '+0');
  return {
    env: {
      LD_PRELOAD: FAKE_CLOCK,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    jump: (seconds) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`),
  };
}

export interface Disk {
  path: string;
  /** Leave no byte free until the function that it returns is called. */
  fill: () => () => void;
  remove: () => void;
}

/** A small disk in memory, which can be filled; null where none can be mounted. */
export function mountDisk(megabytes: number): Disk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const path = mkdtempSync(join(tmpdir(), 'marshal-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', path]);
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const { bavail, bsize } = statfsSync(path);
      execFileSync('fallocate', ['-l', String(Math.max(bsize, bavail * bsize)), filler]);
      return () => rmSync(filler, { force: true });
    },
    remove() {
      execFileSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Stop processes for a while without ending them, as a machine that swaps or a paused virtual machine does. */
export async function freeze(pids: readonly number[], ms: number): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // it has ended
      }
    }
  };
  signal('SIGSTOP');
  await pass(ms);
  signal('SIGCONT');
}

/** A random whole number. */
export const between = (least: number, most: number): number => randomInt(least, most + 1);
