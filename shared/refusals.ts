/**
 * Error codes: the closed list of refusals, each with its HTTP status, its meaning and the remedy. Programs should check the
 * code; the message beside it is for people and may change at any time.
 */
import { z } from './zod.ts';

type Meaning = readonly [status: number, meaning: string];

/** By status, then roughly by subject. */
export const REFUSALS = {
  BAD_REQUEST: [400, 'The request cannot be read or served as sent. The HTTP layer may choose another 4xx.'],
  VALIDATION: [400, 'The input breaks a rule; `issues` names the fields where possible. Correct it and send it again.'],
  START_IN_PAST: [400, 'The mission starts before now. Choose a later start.'],
  AIRCRAFT_NOT_FOUND: [400, 'The input names an aircraft that does not exist. Load the aircraft again.'],
  CHANNEL_NOT_FOUND: [400, 'The input names a channel that the Discord server does not have. Load the channels again.'],
  WRONG_PASSWORD: [400, 'The current password is not correct.'],
  LINK_INVALID: [400, "The personal link is unknown, expired, already used or another person's. Ask for a new one."],
  GUILD_REQUIRED: [400, 'The command only works in a Discord server, not in direct messages.'],

  NOT_AUTHENTICATED: [401, 'There is no session, or it has ended. Sign in.'],
  TOKEN_INVALID: [401, 'The personal access token is unknown, expired or revoked. Make a new one on the profile page.'],
  LOGIN_FAILED: [401, 'Email and password do not match an account.'],
  DISCORD_ACCOUNT_UNKNOWN: [401, 'The Discord account is not linked to a pilot. Sign in another way and link it.'],
  BOT_ONLY: [401, "Only the bot may make this call, and the bot's credential is missing or wrong."],

  FORBIDDEN: [403, "The caller may not do this, for example with another user's data."],
  ADMINS_ONLY: [403, 'The caller is not an admin.'],
  SESSION_REQUIRED: [403, 'A personal access token cannot make this call; it needs a session. Do it on the site.'],
  SCOPE_REQUIRED: [403, 'The personal access token lacks the scope that the message names. Use a token that has it.'],
  SUSPENDED: [403, "The caller's account is suspended. An admin can change that."],
  CROSS_ORIGIN: [403, 'A write came from another site.'],
  VIEWER_CHANGED: [403, 'The pilot who started the visit to Discord is no longer signed in. Start again.'],
  MANAGE_GUILD_REQUIRED: [403, 'The Discord member may not manage the server.'],
  NOT_GUILD_MEMBER: [403, 'The Discord account is not known to be a member of the server.'],

  NOT_FOUND: [404, 'There is no such address or procedure.'],
  USER_NOT_FOUND: [404, 'There is no such user.'],
  SESSION_NOT_FOUND: [404, 'The user has no such session.'],
  TOKEN_NOT_FOUND: [404, 'The user has no such personal access token.'],
  TEMPLATE_NOT_FOUND: [404, 'The user has no such availability template.'],
  ORDER_NOT_FOUND: [404, 'The pilot has no such frag order.'],
  SWAP_NOT_FOUND: [404, 'The pilot has no such swap.'],
  NOTICE_NOT_FOUND: [404, 'The pilot has no such notice.'],
  CALENDAR_NOT_FOUND: [404, 'The calendar link is not in use.'],
  MISSION_NOT_FOUND: [404, 'There is no such mission, or the caller may not see it.'],
  FLIGHT_NOT_FOUND: [404, 'The mission has no such flight.'],
  SEAT_NOT_FOUND: [404, 'The flight has no such seat.'],
  GUILD_NOT_FOUND: [404, 'There is no such Discord server, or the bot is not in it.'],
  DISCORD_NOT_LINKED: [404, 'The user has no linked Discord account.'],
  WEBHOOK_NOT_FOUND: [404, 'There is no such webhook.'],
  DELIVERY_NOT_FOUND: [404, 'The webhook has no such delivery.'],
  METHOD_NOT_ALLOWED: [405, 'The address does not take this method.'],
  REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],

  CONFLICT: [409, 'Another write came first. Send the request again.'],
  CHANGED: [409, 'The object has changed since the caller read it. Load it again before you decide.'],
  LIMIT_REACHED: [409, 'The user already has the maximum number of these. Remove some first.'],
  EMAIL_TAKEN: [409, 'Another account has this email.'],
  PASSWORD_EXISTS: [409, 'The account already has a password. Change it instead.'],
  PASSWORD_REQUIRED: [409, 'The account has no password, so this would leave no way to sign in. Set one first.'],
  EMAIL_REQUIRED: [409, 'The account has no email, so it cannot sign in with a password.'],
  OWN_SESSION: [409, "This is the caller's own session. Sign out instead."],
  OWN_ADMIN_ROLE: [409, 'Admins cannot remove their own admin role.'],
  LAST_ADMIN: [409, 'The last admin cannot lose the admin role.'],
  LEVEL_SET_BY_ADMIN: [409, 'An admin set this level, so only an admin can change it.'],
  OVERLAP: [409, 'The pilot holds a seat in another mission at that time.'],
  SEAT_TAKEN: [409, 'Another pilot holds the seat.'],
  SEAT_EMPTY: [409, 'Nobody holds the seat.'],
  SEAT_HELD_ALREADY: [409, 'The pilot already holds a seat in this mission.'],
  NO_SEAT_FREE: [409, 'No fitting seat is free.'],
  NOT_ELIGIBLE: [409, 'The pilot is not eligible for the seat. The message says why.'],
  ANSWER_NOT_POSSIBLE: [409, 'This answer is no longer possible for the order.'],
  STANDBY_TOO_LATE: [409, 'It is too late to exchange a held seat for standby.'],
  ORDER_NOT_ACCEPTED: [409, 'The call needs an accepted order.'],
  SWAP_NOT_POSSIBLE: [409, 'The two seats cannot be swapped.'],
  SWAP_OPEN_ALREADY: [409, 'A swap for this seat is already open.'],
  SWAP_OVER: [409, 'The swap has been answered or withdrawn, or is no longer possible.'],
  MISSION_IS_DRAFT: [409, 'The mission is a draft. Publish it first.'],
  MISSION_PUBLISHED: [409, 'The mission has already been published.'],
  MISSION_STARTED: [409, 'The mission has started.'],
  MISSION_UNDER_WAY: [409, 'The mission is under way; only its notes, radio and end can be changed.'],
  MISSION_NOT_OVER: [409, 'The mission has not ended yet.'],
  MISSION_FINAL: [409, 'The mission is over or cancelled.'],
  RADIO_IN_USE: [409, 'Another flight uses the frequency at that time.'],
  PILOT_SUSPENDED: [409, 'The pilot to be assigned is suspended.'],
  PILOT_HELD_NO_SEAT: [409, 'The pilot held no seat in this mission.'],
  SUBSCRIPTION_ELSEWHERE: [409, 'The push subscription belongs to another browser.'],
  DISCORD_LINKED_ELSEWHERE: [409, 'The Discord account is linked to another pilot.'],
  DISCORD_OTHER_LINKED: [409, 'Another Discord account is linked to this pilot. Unlink it first.'],
  CHANNEL_NOT_POSTABLE: [409, 'The bot may not post in this channel.'],
  WEBHOOK_PAUSED: [409, 'The webhook is paused or disabled. Enable it first.'],
  DELIVERY_WAITING: [409, 'The delivery is still waiting to be sent.'],
  BOT_STANDS_BY: [409, 'Another instance of the bot holds the lease.'],
  ORDER_EXPIRED: [410, 'The order has expired.'],
  ORDER_CANCELLED: [410, 'The order has been cancelled.'],
  PRECONDITION_FAILED: [412, 'The file has changed since the version that the request names.'],
  BODY_TOO_LARGE: [413, 'The request is too large.'],
  NOT_JSON: [415, 'The request body is not sent as JSON.'],
  RANGE_NOT_SATISFIABLE: [416, 'The file has no such part.'],
  EXPECTATION_FAILED: [417, 'The server cannot meet the Expect header.'],
  IDEMPOTENCY_KEY_REUSED: [422, 'The Idempotency-Key was used with another request.'],
  RATE_LIMITED: [429, 'Too many requests. Wait for the time in Retry-After.'],
  HEADERS_TOO_LARGE: [431, 'The headers of the request are too large.'],

  INTERNAL: [500, 'The server failed. Report the `requestId`.'],
  BUSY: [503, 'The server is too busy. Try again after the time in Retry-After.'],
  DATABASE_UNAVAILABLE: [503, 'The database does not respond. Try again after the time in Retry-After.'],
} as const satisfies Record<string, Meaning>;

export type RefusalCode = keyof typeof REFUSALS;

const [first, ...others] = Object.keys(REFUSALS) as [RefusalCode, ...RefusalCode[]];

/** Schema of an error code. */
export const refusalCode = z.enum([first, ...others]);
