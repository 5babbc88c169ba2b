/** Logger of the bot; pino's loggers have this shape. Never logs tokens, addresses or message text. */
export interface BotLog {
  debug: (fields: object, message: string) => void;
  info: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
  error: (fields: object, message: string) => void;
}

/** What went wrong in a few words, without the request that it came from. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
