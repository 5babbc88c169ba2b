/** Replies to `/mission`, for admins: the preview of a new mission, its roster, and the answers to its buttons. */
import { sideName } from '#shared/labels.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { DryRunDto } from '#shared/schemas/mission-plan.ts';
import { SIDES } from '#shared/vocabulary.ts';
import { zuluAndLocal } from '#server/time/clock-text.ts';
import { cutText, discordTime, escapeMarkdown, fitLines, nameText } from './markdown.ts';
import { type MissionCardFacts, missionCard } from './mission-card.ts';
import { cut } from './mission-event.ts';
import type { RequestedSeats } from './mission-request.ts';
import { actionButton, buttonRow, linkButton, sentence } from './parts.ts';

const SEATS_ROOM = 1_800;
const STANDBY_ROOM = 1_000;
const TITLE_LENGTH = 75;
const CHOICE_LENGTH = 100;

/** A mission's page for admins. @param dateLocal of its start, in the admin's zone */
const adminUrl = (publicUrl: string, missionId: string, dateLocal: string) =>
  `${publicUrl}/admin/missions/${dateLocal}?mission=${missionId}`;

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

export interface PreviewWords {
  id: string;
  name: string;
  theater: string;
  startMs: number;
  endMs: number;
  /** of the admin */
  timeZone: string;
  /** the start's date there */
  dateLocal: string;
  seats: readonly RequestedSeats[];
  /** the time that was written, if the clocks skip it on that date */
  skipped: string | null;
  /** null when it could not be computed now */
  dryRun: Pick<DryRunDto, 'seats' | 'filled' | 'slots'> | null;
  publicUrl: string;
}

/** `Published now, it asks 5 pilots; 1 of 6 seats stays open.` */
function consequence({ dryRun }: PreviewWords): string[] {
  if (dryRun === null) return [];
  const { seats, filled } = dryRun;
  const open = seats - filled;
  const rest = open === 0 ? 'every seat has a pilot' : `${open} of ${plural(seats, 'seat')} would stay open`;
  const why = dryRun.slots.flatMap(({ aircraftName, whyOpen }) =>
    whyOpen === null ? [] : [`${nameText(aircraftName)}: ${escapeMarkdown(whyOpen)}`],
  );
  const asked = filled === 0 ? 'nobody would be asked' : `${plural(filled, 'pilot')} would be asked`;
  return [`**If you publish it now, ${asked}; ${rest}.**`, ...(why.length > 0 ? [fitLines(why, 900, () => '…')] : [])];
}

/** The draft of a mission, with what publishing it does. */
export function missionPreview(mission: PreviewWords): DiscordMessage {
  const { id, name, theater, startMs, endMs, timeZone, dateLocal, seats, skipped, publicUrl } = mission;
  const lines = seats.map(({ aircraft, slotCount, role, side }) => {
    const words = `${slotCount} × ${nameText(aircraft.name)} · ${role}`;
    return seats.every((one) => one.side === SIDES.blue) ? words : `${words} · ${sideName(side)}`;
  });
  const total = seats.reduce((sum, { slotCount }) => sum + slotCount, 0);
  return {
    content: 'This is a draft. Nobody has been asked yet.',
    embeds: [
      {
        title: escapeMarkdown(cut(name.replaceAll(/\s+/g, ' '), TITLE_LENGTH)),
        description: [
          `${discordTime(startMs, 'F')} (${discordTime(startMs, 'R')})\n${zuluAndLocal(startMs, timeZone)} to ${zuluAndLocal(endMs, timeZone)} · ${theater}`,
          ...(skipped === null ? [] : [`The clocks skip ${skipped} on that day, so the start has moved forward.`]),
          `**${plural(total, 'seat')}**\n${fitLines(lines, SEATS_ROOM, (left) => `… and ${left} more entries`)}`,
          ...consequence(mission),
        ].join('\n\n'),
        footer: { text: `Your time zone: ${timeZone}` },
      },
    ],
    components: [
      buttonRow(
        actionButton('Publish', 'publish', id, 'success'),
        actionButton('Discard', 'discard', id, 'danger'),
        linkButton('Open on the site', adminUrl(publicUrl, id, dateLocal)),
      ),
    ],
  };
}

/** What a mission is after publishing; the same for the second press of the button. */
export function publishedMessage(mission: MissionCardFacts, dateLocal: string, publicUrl: string): DiscordMessage {
  const seats = mission.flights.flatMap((flight) => flight.seats);
  const asked = seats.filter(({ isAsked }) => isAsked).length;
  const open = seats.filter(({ pilot }) => pilot === null).length;
  const title = nameText(mission.name);
  return {
    content: `**${title}** is published. ${plural(asked, 'pilot')} asked, ${plural(open, 'seat')} open. It starts ${discordTime(mission.startMs, 'F')}.`,
    components: [buttonRow(linkButton('Open on the site', adminUrl(publicUrl, mission.id, dateLocal)))],
  };
}

export const discardedMessage = sentence('The draft is discarded. Nobody was asked.');

/** Who sits where, as on the mission's card, with the names of those on standby in the order of the queue. */
export function rosterMessage(
  mission: MissionCardFacts,
  standby: readonly string[],
  dateLocal: string,
  { publicUrl, nowMs }: { publicUrl: string; nowMs: number },
): DiscordMessage {
  const { embeds = [] } = missionCard({ ...mission, notes: null }, { publicUrl, roleId: null }, nowMs);
  const names = standby.map((name, index) => `${index + 1} ${nameText(name)}`);
  const queue = fitLines(names, STANDBY_ROOM, (left) => `… and ${left} more on the site`);
  return {
    embeds: [...embeds, ...(names.length > 0 ? [{ title: 'On standby', description: queue }] : [])],
    components: [buttonRow(linkButton('Open on the site', adminUrl(publicUrl, mission.id, dateLocal)))],
  };
}

/** The question before a mission is cancelled. @param held how many pilots have a seat in it */
export function cancelQuestion(
  { id, name, startMs }: { id: string; name: string; startMs: number },
  held: number,
): DiscordMessage {
  const told = held === 0 ? 'Nobody has a seat in it.' : `${plural(held, 'pilot')} with a seat will be told.`;
  return {
    content: `Cancel **${nameText(name)}**, which starts ${discordTime(startMs, 'F')}? ${told} This cannot be undone.`,
    components: [buttonRow(actionButton('Cancel this mission', 'cancel-mission', id, 'danger'))],
  };
}

export const cancelledMessage = (name: string): DiscordMessage =>
  sentence(`**${nameText(name)}** is cancelled. Every pilot with an order for it is told.`);

/** @param url of the card in Discord; null while it is on its way */
export function announcedMessage(name: string, channelId: string, url: string | null): DiscordMessage {
  const title = nameText(name);
  if (url === null) return { content: `The card of **${title}** is being posted in <#${channelId}> now.` };
  return {
    content: `The card of **${title}** is in <#${channelId}> already. If somebody has deleted it, use the command again in a minute.`,
    components: [buttonRow(linkButton('Show the card', url))],
  };
}

/** A mission in the list that Discord offers while an admin types; plain text, which formats nothing. */
export function missionChoice(
  { id, name, startMs, isDraft }: { id: string; name: string; startMs: number; isDraft: boolean },
  timeZone: string,
): { name: string; value: string } {
  const head = `${zuluAndLocal(startMs, timeZone)}${isDraft ? ' · draft' : ''} · `;
  return { name: `${head}${cutText(name, CHOICE_LENGTH - Array.from(head).length)}`, value: id };
}
