/** The Discord bot's child process: restarted when it dies, and stopped with the server. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { App } from './context.ts';
import { childEnv } from '#server/platform/env.ts';
import { standDown } from '#server/discord/bot/lease.ts';

const MAIN = fileURLToPath(new URL('../../bot/main.ts', import.meta.url));
const RESTART_MIN_MS = 1_000;
const RESTART_MAX_MS = 60_000;
/** A process that ran for this long has not failed at startup, so the pauses start over. */
const SETTLED_MS = 60_000;
/** Time for the bot to disconnect from Discord and exit. */
const STOP_MS = 3_000;

const LEVELS = new Map([
  [10, 'trace'],
  [20, 'debug'],
  [30, 'info'],
  [40, 'warn'],
  [50, 'error'],
  [60, 'fatal'],
] as const);

export interface BotProcess {
  /** @param address where the server listens */
  start: (address: AddressInfo) => void;
  /** Stop it, and let another replica's bot take over. */
  stop: () => Promise<void>;
}

/** The address at which a process on this machine reaches the server. */
export function innerUrl({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (address === '::') return `http://[::1]:${port}`;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** @param app without a DISCORD_TOKEN in its configuration `start` does nothing */
export function createBotProcess({ env, log, botToken, orm }: App): BotProcess {
  /** The same for every bot process of this server, so that a restarted one keeps its lease. */
  const instanceId = randomUUID();
  let child: ChildProcess | null = null;
  let restart: NodeJS.Timeout | undefined;
  let failures = 0;
  let isStopping = false;

  /** Turns a line of the bot's log into one of ours; anything else that it prints is logged as a warning. */
  function passOn(line: string): void {
    const text = [env.DISCORD_TOKEN ?? botToken, botToken].reduce(
      (rest, key) => rest.replaceAll(key, '[redacted]'),
      line,
    );
    let entry: unknown;
    try {
      entry = JSON.parse(text);
    } catch {
      if (text.trim() !== '') log.warn({ part: 'bot' }, text);
      return;
    }
    const { level, time: _, msg, ...fields } = Object(entry) as Record<string, unknown>;
    log[LEVELS.get(level as 10) ?? 'warn']({ part: 'bot', ...fields }, typeof msg === 'string' ? msg : text);
  }
  const listen = (stream: Readable | null) => stream && createInterface(stream).on('line', passOn);

  function begin(serverUrl: string): void {
    const began = performance.now();
    const bot = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...childEnv(),
        DISCORD_TOKEN: env.DISCORD_TOKEN,
        DISCORD_API_URL: env.DISCORD_API_URL,
        BOT_SERVER_URL: serverUrl,
        BOT_SERVER_TOKEN: botToken,
        PUBLIC_URL: env.PUBLIC_URL,
        BOT_INSTANCE_ID: instanceId,
        LOG_LEVEL: env.LOG_LEVEL,
      },
    });
    child = bot;
    listen(bot.stdout);
    listen(bot.stderr);
    let isOver = false;
    const onEnd = (reason: string) => {
      if (isOver) return;
      isOver = true;
      child = null;
      if (isStopping) return;
      failures = performance.now() - began > SETTLED_MS ? 1 : failures + 1;
      const waitMs = Math.min(RESTART_MAX_MS, RESTART_MIN_MS * 2 ** Math.min(failures - 1, 10));
      log.error({ part: 'bot', reason, waitMs }, 'bot exited, restarting');
      restart = setTimeout(begin, waitMs, serverUrl);
    };
    bot.once('error', (error) => onEnd(error.message));
    bot.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
  }

  return {
    start(address) {
      if (env.DISCORD_TOKEN !== undefined && !isStopping) begin(innerUrl(address));
    },
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      const bot = child;
      if (bot) {
        const ended = once(bot, 'exit');
        if (bot.connected) bot.disconnect();
        const kill = setTimeout(() => bot.kill('SIGKILL'), STOP_MS);
        await ended;
        clearTimeout(kill);
      }
      // the server no longer listens when the bot would report this itself
      if (env.DISCORD_TOKEN !== undefined) await standDown(orm.em.fork(), instanceId);
    },
  };
}
