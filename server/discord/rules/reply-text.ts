/** Texts of the bot's short replies, each visible to one person. */
import { buttonRow, linkButton } from '#shared/discord-links.ts';
import type { TextKey, Texts } from '#shared/discord-texts/catalogue.ts';
import { DO_NOT_DISTURB_HOURS, SIGN_IN_LINK_MINUTES } from '#shared/limits.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { StatusDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';
import { discordTime, nameText } from './markdown.ts';
import { actionButton } from './parts.ts';

/** For people without a linked pilot. @param isInGuild in a server, which has a button to register */
export function notLinkedMessage(isInGuild: boolean, texts: Texts): DiscordMessage {
  if (!isInGuild) return { content: texts('link.notLinkedElsewhere') };
  return {
    content: texts('link.notLinked'),
    components: [buttonRow(actionButton(texts('link.register'), 'register', 'reply', 'primary'))],
  };
}

/** @param url signs in as this pilot, so nobody else may see it */
export function signInMessage(url: string, expiresMs: number, texts: Texts): DiscordMessage {
  return {
    content: texts('signIn.link', { when: discordTime(expiresMs, 'R'), minutes: SIGN_IN_LINK_MINUTES }),
    components: [buttonRow(linkButton(texts('signIn.button'), url))],
  };
}

const STATE_NAMES: Record<StatusState, TextKey> = {
  available: 'status.available',
  dnd: 'status.dnd',
  now: 'status.now',
};
const STATE_MEANINGS: Record<StatusState, TextKey> = {
  available: 'status.available.meaning',
  dnd: 'status.dnd.meaning',
  now: 'status.now.meaning',
};

/** Lengths that have a button; `/status set` takes any. */
const FIND_FLIGHT_HOURS = [1, 2, 4];

/** With buttons to change it. @param isNew true if it was just set */
export function statusMessage({ effectiveState, expiresAt }: StatusDto, isNew: boolean, texts: Texts): DiscordMessage {
  const state = texts(STATE_NAMES[effectiveState]);
  const meaning = texts(STATE_MEANINGS[effectiveState], { hours: DO_NOT_DISTURB_HOURS });
  const content =
    effectiveState === 'now' && expiresAt !== null
      ? texts(isNew ? 'status.isNowUntil' : 'status.isUntil', {
          state,
          meaning,
          when: discordTime(Date.parse(expiresAt), 't'),
        })
      : texts(isNew ? 'status.isNow' : 'status.is', { state, meaning });
  return {
    content,
    components: [
      buttonRow(
        actionButton(texts('status.available'), 'set-status', 'available'),
        actionButton(texts('status.dnd'), 'set-status', 'dnd', 'danger'),
        ...FIND_FLIGHT_HOURS.map((hours) =>
          actionButton(texts('status.findFlightButton', { hours }), 'set-status', `now-${hours * 60}`, 'success'),
        ),
      ),
    ],
  };
}

/** The question before a Discord account is unlinked. */
export function unlinkQuestion(callSign: string, texts: Texts): DiscordMessage {
  return {
    content: texts('unlink.question', { pilot: nameText(callSign) }),
    components: [buttonRow(actionButton(texts('unlink.button'), 'unlink', 'confirmed', 'danger'))],
  };
}

/** Replaces the question and its buttons. */
export const unlinkedMessage = (texts: Texts): DiscordMessage => ({ content: texts('unlink.done') });

/** @param isPosting the registration announcement is on its way; false if one was posted a moment ago */
export function channelSetMessage(channelId: string, isPosting: boolean, texts: Texts): DiscordMessage {
  return { content: texts(isPosting ? 'setup.channelSet' : 'setup.channelSetAgain', { channel: `<#${channelId}>` }) };
}

export function missionsSetMessage(channelId: string, roleId: string | null, texts: Texts): DiscordMessage {
  const channel = `<#${channelId}>`;
  return {
    content:
      roleId === null
        ? texts('setup.missionsSet', { channel })
        : texts('setup.missionsSetWithRole', { channel, role: `<@&${roleId}>` }),
  };
}

export const missionsOffMessage = (texts: Texts): DiscordMessage => ({ content: texts('setup.missionsOff') });

const COMMANDS: readonly (readonly [string, TextKey])[] = [
  ['/register', 'help.register'],
  ['/login', 'help.login'],
  ['/status', 'help.status'],
  ['/missions', 'help.missions'],
  ['/inbox', 'help.inbox'],
  ['/rsvp', 'help.rsvp'],
  ['/availability', 'help.availability'],
  ['/unlink', 'help.unlink'],
  ['/mission create', 'help.mission.create'],
  ['/mission roster', 'help.mission.roster'],
  ['/mission cancel', 'help.mission.cancel'],
  ['/mission announce', 'help.mission.announce'],
  ['/setup channel', 'help.setup.channel'],
  ['/setup missions', 'help.setup.missions'],
];

export function helpMessage(publicUrl: string, texts: Texts): DiscordMessage {
  return {
    content: [texts('help.intro'), ...COMMANDS.map(([name, what]) => `**${name}** · ${texts(what)}`)].join('\n'),
    components: [
      buttonRow(
        linkButton(texts('site.open'), publicUrl),
        actionButton(texts('help.noDirectMessages'), 'orders-off', 'help'),
      ),
    ],
  };
}
