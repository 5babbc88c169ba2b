/** Environment variables that the server sets. */
import { z } from '#shared/zod.ts';

const schema = z.object({
  DISCORD_TOKEN: z.string().min(1),
  DISCORD_API_URL: z.url(),
  BOT_SERVER_URL: z.url(),
  BOT_SERVER_TOKEN: z.string().min(1),
  BOT_INSTANCE_ID: z.string().min(1).max(100),
  LOG_LEVEL: z.string().min(1),
});

/** @throws Error naming what is missing; the server that starts the bot sets all of it */
export function readBotEnv(): z.output<typeof schema> {
  const parsed = schema.safeParse(process.env);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => path.join('.'));
  throw new Error(`The server starts the bot, with ${names.join(', ')} set: run npm start.`);
}
