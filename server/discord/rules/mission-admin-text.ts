/** Replies to `/mission`, for admins: the preview of a new mission, its roster, and the answers to its buttons. */
import { buttonRow, linkButton } from '#shared/discord-links.ts';
import type { Texts } from '#shared/discord-texts/catalogue.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { DryRunDto } from '#shared/schemas/mission-plan.ts';
import { SIDES } from '#shared/vocabulary.ts';
import { zuluAndLocal } from '#server/time/clock-text.ts';
import { cutText, discordTime, escapeMarkdown, fitLines, nameText } from './markdown.ts';
import { type MissionCardFacts, missionCard } from './mission-card.ts';
import { cut } from './mission-event.ts';
import type { RequestedSeats } from './mission-request.ts';
import { actionButton, sentence, sideText } from './parts.ts';

const SEATS_ROOM = 1_800;
const STANDBY_ROOM = 1_000;
const TITLE_LENGTH = 75;
const CHOICE_LENGTH = 100;

/** A mission's page for admins. @param dateLocal of its start, in the admin's zone */
const adminUrl = (publicUrl: string, missionId: string, dateLocal: string) =>
  `${publicUrl}/admin/missions/${dateLocal}?mission=${missionId}`;

/** An instant in Zulu and in the admin's zone. */
const bothTimes = (ms: number, timeZone: string, texts: Texts) =>
  zuluAndLocal(ms, timeZone, (time, zone) => texts('time.inZone', { time, zone }));

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
function consequence({ dryRun }: PreviewWords, texts: Texts): string[] {
  if (dryRun === null) return [];
  const { seats, filled } = dryRun;
  const why = dryRun.slots.flatMap(({ aircraftName, whyOpen }) =>
    whyOpen === null ? [] : [`${nameText(aircraftName)}: ${escapeMarkdown(whyOpen)}`],
  );
  const said = texts('draft.consequence', { filled, seats, open: seats - filled });
  return [said, ...(why.length > 0 ? [fitLines(why, 900, () => '…')] : [])];
}

/** The draft of a mission, with what publishing it does. */
export function missionPreview(mission: PreviewWords, texts: Texts): DiscordMessage {
  const { id, name, theater, startMs, endMs, timeZone, dateLocal, seats, skipped, publicUrl } = mission;
  const lines = seats.map(({ aircraft, slotCount, role, side }) => {
    const words = `${slotCount} × ${nameText(aircraft.name)} · ${role}`;
    return seats.every((one) => one.side === SIDES.blue) ? words : `${words} · ${sideText(side, texts)}`;
  });
  const times = { start: bothTimes(startMs, timeZone, texts), end: bothTimes(endMs, timeZone, texts) };
  const total = seats.reduce((sum, { slotCount }) => sum + slotCount, 0);
  return {
    content: texts('draft.notice'),
    embeds: [
      {
        title: escapeMarkdown(cut(name.replaceAll(/\s+/g, ' '), TITLE_LENGTH)),
        description: [
          `${discordTime(startMs, 'F')} (${discordTime(startMs, 'R')})\n${texts('draft.times', times)} · ${theater}`,
          ...(skipped === null ? [] : [texts('draft.skipped', { time: skipped })]),
          `${texts('draft.seats', { total })}\n${fitLines(lines, SEATS_ROOM, (left) => texts('draft.more', { left }))}`,
          ...consequence(mission, texts),
        ].join('\n\n'),
        footer: { text: texts('draft.zone', { zone: timeZone }) },
      },
    ],
    components: [
      buttonRow(
        actionButton(texts('draft.publish'), 'publish', id, 'success'),
        actionButton(texts('draft.discard'), 'discard', id, 'danger'),
        linkButton(texts('site.openHere'), adminUrl(publicUrl, id, dateLocal)),
      ),
    ],
  };
}

/** What a mission is after publishing; the same for the second press of the button. */
export function publishedMessage(
  mission: MissionCardFacts,
  dateLocal: string,
  publicUrl: string,
  texts: Texts,
): DiscordMessage {
  const seats = mission.flights.flatMap((flight) => flight.seats);
  const asked = seats.filter(({ isAsked }) => isAsked).length;
  const open = seats.filter(({ pilot }) => pilot === null).length;
  const when = discordTime(mission.startMs, 'F');
  return {
    content: texts('draft.published', { mission: nameText(mission.name), asked, open, when }),
    components: [buttonRow(linkButton(texts('site.openHere'), adminUrl(publicUrl, mission.id, dateLocal)))],
  };
}

export const discardedMessage = (texts: Texts): DiscordMessage => sentence(texts('draft.discarded'));

/** Who sits where, as on the mission's card, with the names of those on standby in the order of the queue. */
export function rosterMessage(
  mission: MissionCardFacts,
  standby: readonly string[],
  dateLocal: string,
  { publicUrl, nowMs }: { publicUrl: string; nowMs: number },
  texts: Texts,
): DiscordMessage {
  const { embeds = [] } = missionCard(
    { ...mission, notes: null },
    { publicUrl, roleId: null, isForAdmin: true },
    nowMs,
    texts,
  );
  const names = standby.map((name, index) => `${index + 1} ${nameText(name)}`);
  const queue = fitLines(names, STANDBY_ROOM, (left) => texts('list.more', { left }));
  return {
    embeds: [...embeds, ...(names.length > 0 ? [{ title: texts('roster.standby'), description: queue }] : [])],
    components: [buttonRow(linkButton(texts('site.openHere'), adminUrl(publicUrl, mission.id, dateLocal)))],
  };
}

/** The question before a mission is cancelled. @param held how many pilots have a seat in it */
export function cancelQuestion(
  { id, name, startMs }: { id: string; name: string; startMs: number },
  held: number,
  texts: Texts,
): DiscordMessage {
  return {
    content: texts('cancel.question', { mission: nameText(name), when: discordTime(startMs, 'F'), held }),
    components: [buttonRow(actionButton(texts('cancel.button'), 'cancel-mission', id, 'danger'))],
  };
}

export const cancelledMessage = (name: string, texts: Texts): DiscordMessage =>
  sentence(texts('cancel.done', { mission: nameText(name) }));

/** @param url of the card in Discord; null while it is on its way */
export function announcedMessage(name: string, channelId: string, url: string | null, texts: Texts): DiscordMessage {
  const values = { mission: nameText(name), channel: `<#${channelId}>` };
  if (url === null) return { content: texts('announce.posting', values) };
  return {
    content: texts('announce.posted', values),
    components: [buttonRow(linkButton(texts('announce.show'), url))],
  };
}

/** A mission in the list that Discord offers while an admin types; plain text, which formats nothing. */
export function missionChoice(
  { id, name, startMs, isDraft }: { id: string; name: string; startMs: number; isDraft: boolean },
  timeZone: string,
  texts: Texts,
): { name: string; value: string } {
  const head = `${bothTimes(startMs, timeZone, texts)}${isDraft ? ` · ${texts('choice.draft')}` : ''} · `;
  return { name: `${head}${cutText(name, CHOICE_LENGTH - Array.from(head).length)}`, value: id };
}
