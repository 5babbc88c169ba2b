/**
 * The development server, with one address: Vite serves the client with hot reload at PORT and proxies calls to the
 * server, which `node --watch` restarts at PORT + 1 whenever one of its files changes.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';
import { readEnv } from '#server/platform/env.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PASSED_ON = ['/trpc', '/api', '/healthz', '/readyz'];

const env = readEnv();
const serverPort = env.PORT + 1;
const serverUrl = `http://127.0.0.1:${serverPort}`;

const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', '--watch-kill-signal=SIGTERM', join(ROOT, 'server', 'main.ts')],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: String(serverPort),
      PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    },
  },
);

const vite = await createServer({
  configFile: join(ROOT, 'client', 'vite.config.ts'),
  server: {
    host: env.HOST,
    port: env.PORT,
    strictPort: true,
    proxy: Object.fromEntries(PASSED_ON.map((path) => [path, { target: serverUrl }])),
  },
});
await vite.listen();
vite.printUrls();

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  server.kill('SIGTERM');
  void vite.close();
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
server.once('exit', (code) => {
  process.exitCode = code ?? 0;
  stop();
});
