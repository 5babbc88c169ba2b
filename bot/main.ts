/** Process of the Discord bot: the server starts it, and it ends with the server. */
import { pino, stdTimeFunctions } from 'pino';
import { readBotEnv } from './env.ts';
import { currentRequestId, reasonOf } from './log.ts';
import { startBot } from './start.ts';

const env = readBotEnv();
const log = pino({
  level: env.LOG_LEVEL,
  base: null,
  timestamp: stdTimeFunctions.isoTime,
  mixin() {
    const requestId = currentRequestId();
    return requestId === undefined ? {} : { requestId };
  },
});

process.on('uncaughtException', (error) => {
  log.fatal({ reason: reasonOf(error), stack: error.stack }, 'the bot failed');
  // the server starts a new process
  process.exit(1);
});

const bot = startBot({
  token: env.DISCORD_TOKEN,
  apiUrl: env.DISCORD_API_URL,
  serverUrl: env.BOT_SERVER_URL,
  serverToken: env.BOT_SERVER_TOKEN,
  publicUrl: env.PUBLIC_URL,
  instanceId: env.BOT_INSTANCE_ID,
  log,
});

let isStopping = false;
function stop(): void {
  if (isStopping) return;
  isStopping = true;
  void bot.stop().finally(() => process.exit(0));
}
process.on('SIGTERM', stop);
// the server disconnects to stop the bot, and also when it dies
process.on('disconnect', stop);
process.on('SIGINT', () => {
  // Ctrl-C reaches every process of the terminal; the server stops the bot in order
  if (!process.connected) stop();
});
