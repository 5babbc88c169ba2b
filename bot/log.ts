/** Where the bot's lines go; pino's loggers are of this shape. Never tokens, addresses or message text. */
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
