/** Discord's refusals, with its codes and words. */

/** The error tree of an invalid form: `{ embeds: { 0: { title: { _errors: [{ code, message }] } } } }`. */
export type FormErrors = { [key: string]: FormErrors | { code: string; message: string }[] };

export class DiscordError extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: FormErrors | undefined;

  constructor(status: number, code: number, message: string, errors?: FormErrors) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/**
 * A limit that Discord keeps beside its buckets. Its body says how long to wait; its headers are those of the bucket and come
 * sooner. https://github.com/discord/discord-api-docs/issues/6109
 */
export class LimitError extends DiscordError {
  readonly retryAfterMs: number;

  constructor(code: number, message: string, retryAfterMs: number) {
    super(429, code, message);
    this.retryAfterMs = retryAfterMs;
  }
}

export const refusals = {
  unauthorized: () => new DiscordError(401, 0, '401: Unauthorized'),
  notFound: () => new DiscordError(404, 0, '404: Not Found'),
  unknownChannel: () => new DiscordError(404, 10003, 'Unknown Channel'),
  unknownGuild: () => new DiscordError(404, 10004, 'Unknown Guild'),
  unknownMember: () => new DiscordError(404, 10007, 'Unknown Member'),
  unknownMessage: () => new DiscordError(404, 10008, 'Unknown Message'),
  unknownUser: () => new DiscordError(404, 10013, 'Unknown User'),
  unknownWebhook: () => new DiscordError(404, 10015, 'Unknown Webhook'),
  unknownInteraction: () => new DiscordError(404, 10062, 'Unknown interaction'),
  unknownCommand: () => new DiscordError(404, 10063, 'Unknown application command'),
  unknownEvent: () => new DiscordError(404, 10070, 'Unknown Guild Scheduled Event'),
  alreadyAcknowledged: () => new DiscordError(400, 40060, 'Interaction has already been acknowledged.'),
  invalidToken: () => new DiscordError(401, 50027, 'Invalid Webhook Token'),
  missingAccess: () => new DiscordError(403, 50001, 'Missing Access'),
  notTheAuthor: () => new DiscordError(403, 50005, 'Cannot edit a message authored by another user'),
  emptyMessage: () => new DiscordError(400, 50006, 'Cannot send an empty message'),
  closedDms: () => new DiscordError(403, 50007, 'Cannot send messages to this user'),
  notText: () => new DiscordError(400, 50008, 'Cannot send messages in a non-text channel'),
  wrongChannelType: () => new DiscordError(400, 50024, 'Cannot execute action on this channel type'),
  missingPermissions: () => new DiscordError(403, 50013, 'Missing Permissions'),
  noMutualGuilds: () =>
    new DiscordError(403, 50278, 'Cannot send messages to this user due to having no mutual guilds'),
  archivedThread: () =>
    new DiscordError(
      400,
      50083,
      'Tried to perform an operation on an archived thread, such as editing a message or adding a user to the thread',
    ),
  threadExists: () => new DiscordError(400, 160004, 'A thread has already been created for this message'),
  lockedThread: () => new DiscordError(403, 160005, 'Thread is locked'),
  replyWithoutHistory: () => new DiscordError(403, 160002, 'Cannot reply without permission to read message history'),
  announcementEditedTooOften: (retryAfterMs: number) =>
    new LimitError(20022, 'This message cannot be edited due to announcement rate limits', retryAfterMs),
  oldMessagesEditedTooOften: (retryAfterMs: number) =>
    new LimitError(
      30046,
      'Maximum number of edits to messages older than 1 hour reached. Try again later',
      retryAfterMs,
    ),
  tooManyEvents: () =>
    new DiscordError(400, 30038, 'Maximum number of uncompleted guild scheduled events reached (100)'),
  finishedEvent: () => new DiscordError(400, 180000, 'Cannot update a finished event'),
} as const;

/** 50035 for one field. @param path `embeds.0.title` */
export function invalidForm(path: string, code: string, message: string): DiscordError {
  let tree: FormErrors = { _errors: [{ code, message }] };
  for (const key of path.split('.').toReversed()) if (key !== '') tree = { [key]: tree };
  return new DiscordError(400, 50035, 'Invalid Form Body', tree);
}
