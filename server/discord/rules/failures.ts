/** Discord's error responses: their classification, and their sentences for admins. */
import { PATIENCE_HOURS } from './backoff.ts';

/** Discord's error codes that matter here. */
const CODES = {
  unknownChannel: 10003,
  unknownMessage: 10008,
  unknownUser: 10013,
  slowmode: 20016,
  announcementEditedTooOften: 20022,
  channelWrittenTooOften: 20028,
  serverWrittenTooOften: 20029,
  tooManyEvents: 30038,
  editedTooOften: 30046,
  dmsOpenedTooFast: 40003,
  sendingIsOff: 40004,
  featureIsOff: 40006,
  serviceLimited: 40062,
  missingAccess: 50001,
  dmsClosed: 50007,
  missingPermissions: 50013,
  invalidRecipient: 50033,
  malformed: 50035,
  archivedThread: 50083,
  noSharedServer: 50278,
  overloaded: 130000,
} as const;

/** Errors that are temporary, although their status says otherwise. */
const PASSING: ReadonlySet<number> = new Set([
  CODES.slowmode,
  CODES.announcementEditedTooOften,
  CODES.channelWrittenTooOften,
  CODES.serverWrittenTooOften,
  CODES.editedTooOften,
  CODES.dmsOpenedTooFast,
  CODES.sendingIsOff,
  CODES.featureIsOff,
  CODES.serviceLimited,
  CODES.overloaded,
]);
/** Closed direct messages, including accounts that do not (or no longer) exist: retrying is pointless. */
const CLOSED_DMS: ReadonlySet<number> = new Set([
  CODES.dmsClosed,
  CODES.noSharedServer,
  CODES.invalidRecipient,
  CODES.unknownUser,
]);

/** Discord's response; without a status there was none. */
export interface Refusal {
  status: number | null;
  code: number | null;
}

/** The destination of the message, as far as it is known. */
export type Place =
  | { kind: 'channel'; name: string; canSendMessages: boolean; canEmbedLinks: boolean }
  | { kind: 'person' | 'server' | 'thread' };

/**
 * `again`: temporary. `rate limited`: Discord has not done it and says when to come back, which is not a failure. `token refused`: temporary too, until somebody corrects the token. `failed`: permanent. `dms closed`:
 * this person accepts no direct messages. `channel gone`, `message gone`: somebody deleted it.
 */
export type Outcome =
  | 'again'
  | 'rate limited'
  | 'token refused'
  | 'failed'
  | 'dms closed'
  | 'channel gone'
  | 'message gone';

/** The classification of an error response. */
export interface Verdict {
  outcome: Outcome;
  /** for admins; never contains the message */
  sentence: string;
  /** Discord has certainly not done it */
  isUndone: boolean;
  /** the channel's permissions according to the response; null if it says nothing about them */
  rights: { canSendMessages: boolean; canEmbedLinks: boolean } | null;
}

/** `The bot cannot post in #debrief. It lacks the permission Embed Links.` */
export function cannotPost(channelName: string, missing: readonly string[]): string {
  const sentence = `The bot cannot post in #${channelName}.`;
  if (missing.length === 0) return sentence;
  return `${sentence} It lacks the ${missing.length === 1 ? 'permission' : 'permissions'} ${missing.join(' and ')}.`;
}

/** The sentence for a missing permission. Discord does not say which one, so it comes from the stored channel. */
function lackingPermission({ name, canSendMessages, canEmbedLinks }: Place & { kind: 'channel' }): string {
  const missing = [canSendMessages ? [] : ['Send Messages'], canEmbedLinks ? [] : ['Embed Links']].flat();
  return missing.length > 0 ? cannotPost(name, missing) : cannotPost(name, ['Send Messages or Embed Links']);
}

const numbers = ({ status, code }: Refusal): string => (code === null ? `${status}` : `${status}, code ${code}`);

function failed(refusal: Refusal, place: Place): Verdict {
  const { code } = refusal;
  const fail = (sentence: string, rights: Verdict['rights'] = null): Verdict => ({
    outcome: 'failed',
    sentence,
    isUndone: true,
    rights,
  });
  if (code === CODES.malformed) return fail(`Discord refused the message as malformed (${numbers(refusal)}).`);
  if (code === CODES.archivedThread) return fail('The thread is archived, so Discord refused the change.');
  if (place.kind === 'server' && code === CODES.missingPermissions) {
    return fail(CANNOT_CREATE_EVENTS);
  }
  if (place.kind === 'thread' && code === CODES.missingPermissions) {
    return fail('The bot cannot start threads here. It lacks Create Public Threads or Send Messages in Threads.');
  }
  if (place.kind === 'server' && code === CODES.tooManyEvents) {
    return fail('This server already has 100 scheduled events, the most that Discord allows.');
  }
  if (place.kind !== 'channel') return fail(`Discord refused this (${numbers(refusal)}).`);
  if (code === CODES.missingAccess) {
    return fail(cannotPost(place.name, ['View Channel']), { canSendMessages: false, canEmbedLinks: false });
  }
  if (code === CODES.missingPermissions) {
    const { canSendMessages, canEmbedLinks } = place;
    return fail(lackingPermission(place), { canSendMessages, canEmbedLinks });
  }
  return fail(`Discord refused the post in #${place.name} (${numbers(refusal)}).`);
}

/** For admins: the server does not let the bot create events. */
export const CANNOT_CREATE_EVENTS =
  'The bot cannot create events in this server. It lacks the permission Create Events.';

/** Classify Discord's response: what to do, and the sentence for admins. */
export function judge(refusal: Refusal, place: Place): Verdict {
  const { status, code } = refusal;
  const isUndone = status !== null && status < 500 && status !== 408;
  const say = (outcome: Outcome, sentence: string): Verdict => ({ outcome, sentence, isUndone, rights: null });
  if (status === null) return say('again', 'Discord did not answer.');
  if (status === 429) return say('rate limited', 'Discord is limiting requests.');
  if (status >= 500 || status === 408 || (code !== null && PASSING.has(code))) {
    return say('again', `Discord has a problem (${numbers(refusal)}).`);
  }
  if (status === 401) return say('token refused', "Discord refuses the bot's token.");
  if (code !== null && CLOSED_DMS.has(code)) return say('dms closed', "This pilot doesn't accept direct messages.");
  if (code === CODES.unknownChannel) {
    return say('channel gone', place.kind === 'channel' ? `#${place.name} no longer exists.` : 'It no longer exists.');
  }
  if (code === CODES.unknownMessage) return say('message gone', 'The message was deleted in Discord.');
  return failed(refusal, place);
}

/**
 * The sentence for an announcement that was given up.
 * @param lastSentence why the last attempt failed, if there was one
 * @param mayStand true if an attempt may have posted it
 */
export function givenUpAnnouncement(channelName: string, lastSentence: string | null, mayStand: boolean): string {
  if (mayStand) {
    return `Discord didn't confirm within ${PATIENCE_HOURS} hours whether the announcement was posted in #${channelName}. Please check there. "Send again" posts another one.`;
  }
  const sentence = `The announcement could not be posted in #${channelName} within ${PATIENCE_HOURS} hours, so Marshal gave up.`;
  return lastSentence === null ? sentence : `${sentence} ${lastSentence}`;
}

/** The sentence for an announcement that may or may not have been posted. */
export function uncertainAnnouncement(channelName: string): string {
  return `Discord didn't confirm whether the announcement was posted, and the bot cannot read the history of #${channelName}. Please check there. "Send again" posts another one.`;
}
