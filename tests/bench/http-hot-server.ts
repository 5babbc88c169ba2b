/**
 * The servers that `http-hot.ts` measures, each in a process of its own: `marshal`, `bare` (node:http with one named prepared
 * statement) and `express` (a route without a database). The parent asks for the CPU time by message.
 */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Pool } from 'pg';
import { startService } from '#tests/harness/service.ts';

const [kind = '', databaseUrl = ''] = process.argv.slice(2);

/** The pool is as large as Marshal's. */
function bareHandler(): RequestListener {
  const pool = new Pool({ connectionString: databaseUrl, max: 16 });
  const text = `select s.state, s.minutes, floor(extract(epoch from s.expires_at) * 1000)::float8 as "expiresMs"
    from app_user u left join pilot_status s on s.user_id = u.id where u.id = $1`;
  return (request, response) => {
    const id = (request.url ?? '').slice(1);
    void pool.query({ name: 'status', text, values: [id] }).then(({ rows }) => {
      const body = JSON.stringify(rows[0]);
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
      response.end(body);
    });
  };
}

function expressHandler(): RequestListener {
  const http = express();
  http.get('/:id', (request, response) => void response.json({ state: 'available', id: request.params.id }));
  return http;
}

function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

async function start(): Promise<string> {
  if (kind === 'bare') return listen(bareHandler());
  if (kind === 'express') return listen(expressHandler());
  const service = await startService({ database: { url: databaseUrl, drop: () => Promise.resolve() } });
  return service.url;
}

const url = await start();
process.on('message', (asked) => {
  if (asked === 'stop') process.exit(0);
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuUs: user + system });
});
process.send?.({ url });
