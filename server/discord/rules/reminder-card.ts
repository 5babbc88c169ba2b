/** The reminder of a mission as a direct message, which is edited once it is answered or no longer true. */
import { fragLabel } from '#shared/labels.ts';
import { shorten } from '#shared/order-changes.ts';
import type { OrderFacts } from '#shared/order-facts.ts';
import { STILL_FLYING } from '#shared/reminders.ts';
import type { DiscordButton, DiscordMessage } from '#shared/schemas/bot.ts';
import {
  betterTimesPath,
  turnoutHeading,
  turnoutSentence,
  type TurnoutFacts,
} from '#server/reminders/rules/turnout-words.ts';
import { zuluDayWords } from '#server/time/clock-text.ts';
import { discordTime, escapeMarkdown } from './markdown.ts';
import { actionButton, buttonRow, linkButton, stateButton } from './parts.ts';

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

const COLOURS = { asks: 0xf2a33a, holds: 0x3fa34d, over: 0x6b7280 } as const;

/** Why the reminder no longer applies. */
export function endedReminder({ order, hasMoved }: Pick<Reminder, 'order' | 'hasMoved'>, nowMs: number): string {
  if (order.status === 'issued' && order.rsvp === 'declined') return 'You gave this seat back.';
  if (order.statusReason === 'mission cancelled') return "This mission won't take place.";
  if (order.status !== 'issued' || order.rsvp === 'standby') return 'You no longer have this seat.';
  if (hasMoved || order.rsvp === 'pending') return 'This mission has changed. Your order has the new times.';
  return nowMs >= Date.parse(order.startUtc) ? 'This mission has started.' : 'You no longer have this seat.';
}

function bodyOf(reminder: Reminder, nowMs: number): { text: string; colour: number; buttons: DiscordButton[] } {
  const { id, order, asks, isCurrent } = reminder;
  if (!isCurrent) {
    const text = endedReminder(reminder, nowMs);
    return { text, colour: COLOURS.over, buttons: [stateButton('Over', 'inbox', id)] };
  }
  const startMs = Date.parse(order.startUtc);
  const starts = `Starts ${discordTime(startMs, 'R')}: ${discordTime(startMs, 'F')}, ${zuluDayWords(startMs)}.`;
  if (asks) {
    return {
      text: `**${STILL_FLYING.question}** ${starts}\n${STILL_FLYING.meaning}`,
      colour: COLOURS.asks,
      buttons: [
        actionButton(STILL_FLYING.confirm, 'confirm', id, 'success'),
        actionButton(STILL_FLYING.decline, 'cant-fly', id, 'danger'),
      ],
    };
  }
  const button =
    order.confirmedAt === null ? actionButton('My orders', 'inbox', id) : stateButton('Confirmed', 'inbox', id);
  return { text: starts, colour: COLOURS.holds, buttons: [button] };
}

/**
 * The reminder at an instant. Its buttons' ids contain its id, by which the message can be found.
 * @param publicUrl origin of the site
 */
export function reminderCard(reminder: Reminder, publicUrl: string, nowMs: number): DiscordMessage {
  const { order } = reminder;
  const { text, colour, buttons } = bodyOf(reminder, nowMs);
  const url = `${publicUrl}/orders/${order.id}`;
  const short = (name: string, value: string) => ({ name, value, inline: true });
  const said = (words: string) => escapeMarkdown(shorten(words));
  return {
    embeds: [
      {
        title: `Reminder: ${said(order.missionName)} (${fragLabel(order.seq)})`,
        url,
        description: text,
        color: colour,
        fields: [
          short('Flight', said(order.flightCallsign)),
          short('Aircraft', said(order.aircraftName)),
          short('Seat', String(order.seatIndex + 1)),
        ],
      },
    ],
    components: [buttonRow(...buttons, linkButton('Open on the site', url))],
  };
}

/** The warning of too few pilots to a mission's creator. @param rowId of the message, to find it again */
export function turnoutCard(warning: TurnoutFacts, publicUrl: string, rowId: string): DiscordMessage {
  const { missionId, startMs, missionName } = warning;
  return {
    embeds: [
      {
        title: turnoutHeading({ missionName: escapeMarkdown(shorten(missionName)) }),
        url: `${publicUrl}/admin/missions/${missionId}`,
        description: `${turnoutSentence(warning)}\nStarts ${discordTime(startMs, 'R')}: ${discordTime(startMs, 'F')}, ${zuluDayWords(startMs)}.`,
        color: COLOURS.asks,
      },
    ],
    components: [
      buttonRow(
        actionButton('My orders', 'inbox', rowId),
        linkButton('Look for a better time', `${publicUrl}${betterTimesPath(warning)}`),
      ),
    ],
  };
}
