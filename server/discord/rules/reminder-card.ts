/** The reminder of a mission as a direct message, which is edited once it is answered or no longer true. */
import { buttonRow, linkButton } from '#shared/discord-links.ts';
import type { Texts } from '#shared/discord-texts/catalogue.ts';
import { fragLabel } from '#shared/labels.ts';
import { shorten } from '#shared/order-changes.ts';
import type { OrderFacts } from '#shared/order-facts.ts';
import type { DiscordButton, DiscordMessage } from '#shared/schemas/bot.ts';
import { betterTimesPath, type TurnoutFacts } from '#server/missions/reminders/rules/turnout-words.ts';
import { zuluDayWords } from '#server/time/clock-text.ts';
import { discordTime, escapeMarkdown } from './markdown.ts';
import { actionButton, stateButton } from './parts.ts';
import { COLOURS } from './colours.ts';

interface Reminder {
  id: string;
  order: OrderFacts;
  /** asks "Still flying?", without an answer yet */
  asks: boolean;
  /** the pilot still holds the seat, and the mission has neither moved nor started */
  isCurrent: boolean;
  /** the mission starts at another time by now */
  hasMoved: boolean;
}

/** Why the reminder no longer applies. */
export function endedReminder(
  { order, hasMoved }: Pick<Reminder, 'order' | 'hasMoved'>,
  nowMs: number,
  texts: Texts,
): string {
  if (order.status === 'issued' && order.rsvp === 'declined') return texts('reminder.gaveBack');
  if (order.statusReason === 'mission cancelled') return texts('reminder.cancelled');
  if (order.status !== 'issued' || order.rsvp === 'standby') return texts('reminder.seatLost');
  if (hasMoved || order.rsvp === 'pending') return texts('reminder.moved');
  return texts(nowMs >= Date.parse(order.startUtc) ? 'reminder.started' : 'reminder.seatLost');
}

/** `Starts in 3 hours: Friday, 20 November 2026 20:00, FRI 20 NOV 1900Z.` */
const startText = (startMs: number, texts: Texts) =>
  texts('reminder.starts', {
    when: discordTime(startMs, 'R'),
    time: discordTime(startMs, 'F'),
    zulu: zuluDayWords(startMs),
  });

function bodyOf(
  reminder: Reminder,
  nowMs: number,
  texts: Texts,
): { text: string; colour: number; buttons: DiscordButton[] } {
  const { id, order, asks, isCurrent } = reminder;
  if (!isCurrent) {
    const text = endedReminder(reminder, nowMs, texts);
    return { text, colour: COLOURS.over, buttons: [stateButton(texts('badge.over'), 'inbox', id)] };
  }
  const starts = startText(Date.parse(order.startUtc), texts);
  if (asks) {
    return {
      text: `**${texts('reminder.question')}** ${starts}\n${texts('reminder.meaning')}`,
      colour: COLOURS.asks,
      buttons: [
        actionButton(texts('reminder.confirm'), 'confirm', id, 'success'),
        actionButton(texts('reminder.decline'), 'cant-fly', id, 'danger'),
      ],
    };
  }
  const button =
    order.confirmedAt === null
      ? actionButton(texts('reminder.myOrders'), 'inbox', id)
      : stateButton(texts('badge.confirmed'), 'inbox', id);
  return { text: starts, colour: COLOURS.holds, buttons: [button] };
}

/**
 * The reminder at an instant. Its buttons' ids contain its id, by which the message can be found.
 * @param publicUrl origin of the site
 */
export function reminderCard(reminder: Reminder, publicUrl: string, nowMs: number, texts: Texts): DiscordMessage {
  const { order } = reminder;
  const { text, colour, buttons } = bodyOf(reminder, nowMs, texts);
  const url = `${publicUrl}/orders/${order.id}`;
  const short = (name: string, value: string) => ({ name, value, inline: true });
  const said = (words: string) => escapeMarkdown(shorten(words));
  return {
    embeds: [
      {
        title: texts('reminder.title', { mission: said(order.missionName), order: fragLabel(order.seq) }),
        url,
        description: text,
        color: colour,
        fields: [
          short(texts('fact.flight'), said(order.flightCallsign)),
          short(texts('fact.aircraft'), said(order.aircraftName)),
          short(texts('fact.seat'), String(order.seatIndex + 1)),
        ],
      },
    ],
    components: [buttonRow(...buttons, linkButton(texts('site.openHere'), url))],
  };
}

/** The warning of too few pilots to a mission's creator. @param rowId of the message, to find it again */
export function turnoutCard(warning: TurnoutFacts, publicUrl: string, rowId: string, texts: Texts): DiscordMessage {
  const { missionId, startMs, missionName, stage, probability, seats, accepted, enough } = warning;
  const chance = texts('turnout.chance', {
    stage: texts(`turnoutStage.${stage}`),
    percent: Math.floor(probability * 100),
    seats,
    accepted,
    enough,
  });
  return {
    embeds: [
      {
        title: texts('turnout.title', { mission: escapeMarkdown(shorten(missionName)) }),
        url: `${publicUrl}/admin/missions/${missionId}`,
        description: `${chance}\n${startText(startMs, texts)}`,
        color: COLOURS.asks,
      },
    ],
    components: [
      buttonRow(
        actionButton(texts('reminder.myOrders'), 'inbox', rowId),
        linkButton(texts('turnout.betterTime'), `${publicUrl}${betterTimesPath(warning)}`),
      ),
    ],
  };
}
