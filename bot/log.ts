/** Logger of the bot, compatible with pino. Never log tokens, addresses or message text. */
export interface BotLog {
  debug: (fields: object, message: string) => void;
  info: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
  error: (fields: object, message: string) => void;
}

/** Short cause of an error, without the request that failed. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
