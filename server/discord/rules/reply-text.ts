/** Texts of the bot's short replies, each visible to one person. */
import { DO_NOT_DISTURB_HOURS, SIGN_IN_LINK_MINUTES } from '#shared/limits.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { StatusDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';
import { discordTime, nameText } from './markdown.ts';
import { actionButton, buttonRow, linkButton } from './parts.ts';

/** For people without a linked pilot. @param isInGuild in a server, which has a button to register */
export function notLinkedMessage(isInGuild: boolean): DiscordMessage {
  const sentence = 'Your Discord account is not linked to a pilot yet.';
  if (!isInGuild) return { content: `${sentence} Use /register in your Discord server first.` };
  return {
    content: `${sentence} Register first; it takes a minute.`,
    components: [buttonRow(actionButton('Register', 'register', 'reply', 'primary'))],
  };
}

/** @param url signs in as this pilot, so nobody else may see it */
export function signInMessage(url: string, expiresMs: number): DiscordMessage {
  return {
    content: `This link signs you in once. Don't share it. It expires ${discordTime(expiresMs, 'R')}, ${SIGN_IN_LINK_MINUTES} minutes after you asked for it.`,
    components: [buttonRow(linkButton('Sign in', url))],
  };
}

const STATE_NAMES: Record<StatusState, string> = {
  available: 'Idle',
  dnd: 'Do Not Disturb',
  now: 'Find Flight',
};
const STATE_SENTENCES: Record<StatusState, string> = {
  available: "You'll be asked when a mission fits your availability.",
  dnd: `You won't be asked to fly missions that start within ${DO_NOT_DISTURB_HOURS} hours.`,
  now: "You'll be among the first to be asked.",
};

/** Lengths that have a button; `/status set` takes any. */
const FIND_FLIGHT_HOURS = [1, 2, 4];

/** With buttons to change it. @param isNew true if it was just set */
export function statusMessage({ effectiveState, expiresAt }: StatusDto, isNew: boolean): DiscordMessage {
  const until =
    effectiveState === 'now' && expiresAt !== null ? ` until ${discordTime(Date.parse(expiresAt), 't')}` : '';
  const lead = isNew ? 'Your status is now' : 'Your status is';
  return {
    content: `${lead} **${STATE_NAMES[effectiveState]}**${until}. ${STATE_SENTENCES[effectiveState]}`,
    components: [
      buttonRow(
        actionButton(STATE_NAMES.available, 'set-status', 'available'),
        actionButton(STATE_NAMES.dnd, 'set-status', 'dnd', 'danger'),
        ...FIND_FLIGHT_HOURS.map((hours) =>
          actionButton(`${STATE_NAMES.now} ${hours} h`, 'set-status', `now-${hours * 60}`, 'success'),
        ),
      ),
    ],
  };
}

/** The question before a Discord account is unlinked. */
export function unlinkQuestion(callSign: string): DiscordMessage {
  return {
    content: `Unlink this Discord account from **${nameText(callSign)}**? Orders no longer reach you here, and the commands stop working until you register again. Your account on the site stays.`,
    components: [buttonRow(actionButton('Unlink', 'unlink', 'confirmed', 'danger'))],
  };
}

/** Replaces the question and its buttons. */
export const unlinkedMessage: DiscordMessage = { content: 'Your Discord account is no longer linked.' };

/** @param isPosting the registration announcement is on its way; false if one was posted a moment ago */
export function channelSetMessage(channelId: string, isPosting: boolean): DiscordMessage {
  const what = isPosting
    ? 'The registration announcement is being posted there now.'
    : 'The registration announcement was posted a moment ago, so it is not posted again.';
  return { content: `Announcements will go to <#${channelId}> from now on. ${what}` };
}

export function missionsSetMessage(channelId: string, roleId: string | null): DiscordMessage {
  const mention = roleId === null ? 'They mention nobody.' : `They mention <@&${roleId}>.`;
  return {
    content: `Every mission gets a card in <#${channelId}> that shows who flies, upcoming ones included. ${mention} Cards that are already posted elsewhere stay there.`,
  };
}

export const missionsOffMessage: DiscordMessage = {
  content: 'New missions get no card here any more. The cards that are posted stay up to date.',
};

const COMMANDS: readonly (readonly [string, string])[] = [
  ['/register', 'create or update your account'],
  ['/login', 'a one-time link that signs you in on the site'],
  ['/status', 'show or set whether you want to fly now, with buttons'],
  ['/missions', 'your seats and the open ones'],
  ['/inbox', 'frag orders that need your answer, with buttons'],
  ['/rsvp', 'answer a frag order, or give a seat back'],
  ['/availability', 'when you can fly in the coming week; add tonight or the weekend'],
  ['/unlink', 'unlink this Discord account from your pilot'],
  ['/mission create', 'write a mission, see who would be asked, publish it (admins)'],
  ['/mission roster', 'who sits where, and who is on standby (admins)'],
  ['/mission cancel', 'cancel a mission (admins)'],
  ['/mission announce', "post a mission in this server's missions channel (admins)"],
  ['/setup channel', 'where announcements go (needs Manage Server)'],
  ['/setup missions', 'where missions are posted, with who flies (needs Manage Server)'],
];

export function helpMessage(publicUrl: string): DiscordMessage {
  return {
    content: [
      'Marshal plans missions and finds a pilot for every seat. What I can do for you:',
      ...COMMANDS.map(([name, what]) => `**${name}** · ${what}`),
    ].join('\n'),
    components: [
      buttonRow(linkButton('Open Marshal', publicUrl), actionButton('No more direct messages', 'orders-off', 'help')),
    ],
  };
}
