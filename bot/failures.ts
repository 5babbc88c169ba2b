/** Failed calls to Discord or the server, translated into sentences for the person who asked. */
import { isTRPCClientError } from '@trpc/client';
import { DiscordAPIError, RESTJSONErrorCodes } from 'discord.js';
import type { RefusalCode } from '#shared/refusals.ts';
import { copy } from '#shared/copy.ts';
import { type DiscordReader, refusalMessage } from '#shared/discord-refusal.ts';
import type { TextKey } from '#shared/discord-texts/catalogue.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';

/**
 * Discord errors for an interaction that can no longer be answered: it has expired, another instance has answered it, or
 * the person has dismissed the message.
 */
const OVER: ReadonlySet<number | string> = new Set([
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InvalidWebhookToken,
  RESTJSONErrorCodes.UnknownMessage,
]);

export const isOver = (error: unknown): boolean => error instanceof DiscordAPIError && OVER.has(error.code);

/** One field of the server's error data. */
function readData(error: unknown, field: string): unknown {
  const data: unknown = isTRPCClientError(error) ? error.data : null;
  return typeof data === 'object' && data !== null ? Reflect.get(data, field) : undefined;
}

/** The code of the server's refusal; null when the server was not reached or sent no code. */
export function refusalOf(error: unknown): RefusalCode | null {
  const code = readData(error, 'refusal');
  return typeof code === 'string' ? (code as RefusalCode) : null;
}

/** HTTP status of the server's answer; null when there was none. */
function statusOf(error: unknown): number | null {
  const status = readData(error, 'httpStatus');
  return typeof status === 'number' ? status : null;
}

/** Statuses by which the server refuses the content of a call: sent again as it is, it would be refused again. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);

export function isRefused(error: unknown): boolean {
  const status = statusOf(error);
  return status !== null && REFUSED.has(status);
}

/** True when the call was too large for the server. */
export const isTooLarge = (error: unknown): boolean => statusOf(error) === 413;

export interface Failure {
  /** for the person who asked */
  message: DiscordMessage;
  /** for the server's event log, without text that people wrote; null when nothing needs to be recorded */
  reason: string | null;
}

/** Refusals that are worded differently in Discord than on the site. */
const IN_DISCORD: ReadonlyMap<string, TextKey> = new Map([
  [copy.minutesRequired, 'bot.minutesRequired'],
  [copy.orderNotFound, 'bot.orderNotFound'],
]);

/**
 * A refusal gets the server's sentence, except for the few above, and a link to the page where its cause can be removed.
 * Other failures get a sentence from the bot.
 */
export function explain(error: unknown, reader: DiscordReader): Failure {
  const { texts } = reader;
  const say = (content: string, reason: string | null = null): Failure => ({ message: { content }, reason });
  if (isTRPCClientError(error)) {
    const status = statusOf(error);
    if (status === null || status === 503) return say(texts('bot.serverAway'));
    const code = refusalOf(error);
    // BOT_ONLY concerns the bot's credential, not the person
    if (status >= 500 || code === 'BOT_ONLY') return say(texts('bot.failed'), `The server answered ${status}`);
    // the server says this in the person's language already, with an address
    if (code === null || code === 'GUILD_PENDING') return say(error.message);
    const message = refusalMessage(code, error.message, reader);
    const reworded = IN_DISCORD.get(error.message);
    return { message: reworded === undefined ? message : { ...message, content: texts(reworded) }, reason: null };
  }
  if (error instanceof DiscordAPIError) return say(texts('bot.failed'), `Discord answered ${error.code}`);
  return say(texts('bot.failed'), error instanceof Error ? error.name : 'Unknown');
}
