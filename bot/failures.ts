/** Failures between Discord, the bot and the server, and their sentences for people. */
import { isTRPCClientError } from '@trpc/client';
import { DiscordAPIError, RESTJSONErrorCodes } from 'discord.js';
import type { RefusalCode } from '#shared/refusals.ts';
import { copy } from '#shared/copy.ts';
import { sentences } from './bot-text.ts';

/**
 * Too late or not needed: the interaction is over, another instance was first, or the person has put the message away.
 * Nobody can be told anything then.
 */
const OVER: ReadonlySet<number | string> = new Set([
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InvalidWebhookToken,
  RESTJSONErrorCodes.UnknownMessage,
]);

export const isOver = (error: unknown): boolean => error instanceof DiscordAPIError && OVER.has(error.code);

/** One field of what the server said about a failed call. */
function readData(error: unknown, field: string): unknown {
  const data: unknown = isTRPCClientError(error) ? error.data : null;
  return typeof data === 'object' && data !== null ? Reflect.get(data, field) : undefined;
}

/** The code of the server's refusal; null when it was not reached or said nothing that can be read. */
export function refusalOf(error: unknown): RefusalCode | null {
  const code = readData(error, 'refusal');
  return typeof code === 'string' ? (code as RefusalCode) : null;
}

/** The status that the server answered with; null as above. */
function statusOf(error: unknown): number | null {
  const status = readData(error, 'httpStatus');
  return typeof status === 'number' ? status : null;
}

export interface Failure {
  /** for the person who asked */
  sentence: string;
  /** for the record, in words without anything that people wrote; null for what needs none */
  reason: string | null;
}

/** Refusals that read differently in Discord than on the site. */
const IN_DISCORD: ReadonlyMap<string, string> = new Map([
  [copy.minutesRequired, sentences.minutesRequired],
  [copy.orderNotFound, sentences.orderNotFound],
]);

/** Refusals are the server's own sentences, but for the few above; everything else is one of the bot's. */
export function explain(error: unknown): Failure {
  if (isTRPCClientError(error)) {
    const status = statusOf(error);
    if (status === null || status === 503) return { sentence: sentences.serverAway, reason: null };
    // about the bot's credential, never about the person
    if (status < 500 && refusalOf(error) !== 'BOT_ONLY') {
      return { sentence: IN_DISCORD.get(error.message) ?? error.message, reason: null };
    }
    return { sentence: sentences.failed, reason: `The server answered ${status}` };
  }
  if (error instanceof DiscordAPIError) return { sentence: sentences.failed, reason: `Discord answered ${error.code}` };
  return { sentence: sentences.failed, reason: error instanceof Error ? error.name : 'Unknown' };
}
