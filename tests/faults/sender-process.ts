/** A process that only runs jobs, to be killed during one. It ends with its parent. */
import { openApp } from '#server/http/app.ts';
import { readEnv } from '#server/platform/env.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { createLog } from '#server/platform/log.ts';

const env = readEnv();
if (env.DATABASE_URL === undefined) throw new Error('This process needs DATABASE_URL');
process.stdin.on('end', () => process.exit(0)).resume();
const app = await openApp(env, createLog(env.LOG_LEVEL), env.DATABASE_URL);
await startWorker(app, env.DATABASE_URL);
process.stdout.write('ready\n');
