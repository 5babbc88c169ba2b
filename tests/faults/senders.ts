/** Processes that send the outbox, and a Discord without nonces and history as a negative control. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { findNode } from '#server/cli/pinned-node.js';
import { ROOT } from '#server/cli/programs.js';
import { query, sql } from '#server/schema/query.ts';
import type { App } from '#server/http/context.ts';

export interface Sender {
  /** Start it, again if need be, and wait until it works. */
  start: () => Promise<void>;
  /** kill -9, at once. */
  kill: () => Promise<void>;
}

/** @param env settings of the database and of Discord; nothing runs before `start` */
export function createSender(env: Record<string, string>): Sender {
  let child: ChildProcess | null = null;
  return {
    async start() {
      let output = '';
      const { PATH, SystemRoot, NODE_COMPILE_CACHE } = process.env;
      const started = spawn(findNode(), [join(ROOT, 'tests', 'faults', 'sender-process.ts')], {
        cwd: ROOT,
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { PATH, SystemRoot, NODE_COMPILE_CACHE, LOG_LEVEL: 'fatal', ...env },
      });
      child = started;
      started.stderr.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      const ready = new Promise<void>((resolve) => started.stdout.once('data', () => resolve()));
      const gone = once(started, 'exit').then(() => started.signalCode);
      // a kill during the start is no failure: the test starts it again
      if ((await Promise.race([ready, gone])) === null) throw new Error(`A sender ended: ${output.slice(-4_000)}`);
    },
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/**
 * A killed worker's jobs stay locked until the maintenance job releases them after a minute, and what it was sending stays its
 * own for 50 seconds. To save that time, this makes what is older than any job takes here a minute older, and runs the
 * maintenance immediately.
 */
export async function passMinute({ app }: { app: Pick<App, 'orm'> }): Promise<void> {
  const em = app.orm.em.fork();
  await query(
    em,
    sql`update delivery set next_attempt_at = next_attempt_at - interval '1 minute'
        where state = 'sending' and next_attempt_at < now() + interval '46 seconds'`,
  );
  const aged = await query(
    em,
    sql`update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute'
        where locked_at between now() - interval '50 seconds' and now() - interval '4 seconds' returning 1 as one`,
  );
  if (aged.length > 0) await query(em, sql`select graphile_worker.add_job('maintenance', job_key => 'maintenance')`);
}

/** Discord's means against duplicates: nonces and message history. */
function forget(path: string, method: string, body: string): string {
  if (method !== 'POST' || !path.endsWith('/messages')) return body;
  const { nonce: _, enforce_nonce: __, ...message } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(message);
}

function hide(path: string, method: string, answer: unknown): unknown {
  if (method === 'GET' && path.endsWith('/messages')) return [];
  if (method === 'GET' && /\/channels\/\d+$/.test(path)) return { ...(answer as object), last_message_id: null };
  return answer;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The same Discord without a memory, on another port: it knows no nonce and shows no history. */
export async function startForgetful(apiUrl: string): Promise<{ apiUrl: string; stop: () => Promise<void> }> {
  const { origin } = new URL(apiUrl);
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request;
    const [path = ''] = url.split('?');
    const text = await readText(request);
    const answer = await fetch(`${origin}${url}`, {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        'user-agent': headers['user-agent'] ?? '',
        'content-type': headers['content-type'] ?? 'application/json',
      },
      ...(text === '' ? {} : { body: forget(path, method, text) }),
    });
    const body: unknown = await answer.json();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.ok ? hide(path, method, body) : body));
  };
  const server = createServer((request, response) => {
    // a connection that is cut behind is cut in front
    pass(request, response).catch(() => response.socket?.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
