/** Environment variables of the bot, set by the server that starts it. */
import { z } from '#shared/zod.ts';

const schema = z.object({
  DISCORD_TOKEN: z.string().min(1),
  DISCORD_API_URL: z.url(),
  BOT_SERVER_URL: z.url(),
  BOT_SERVER_TOKEN: z.string().min(1),
  PUBLIC_URL: z.url(),
  BOT_INSTANCE_ID: z.string().min(1).max(100),
  LOG_LEVEL: z.string().min(1),
});

/** @throws Error with the names of missing variables */
export function readBotEnv(): z.output<typeof schema> {
  const parsed = schema.safeParse(process.env);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => path.join('.'));
  throw new Error(`Missing ${names.join(', ')}: the server starts the bot and sets these, so run npm start.`);
}
