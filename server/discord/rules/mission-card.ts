/** The card of a mission in a server's missions channel: when it is, who sits where, and what is open. */
import { buttonRow, linkButton } from '#shared/discord-links.ts';
import type { TextKey, Texts } from '#shared/discord-texts/catalogue.ts';
import { ANYBODY, type MissionSides, viewOfSide } from '#server/planning/rules/side-rule.ts';
import type { DiscordButton, DiscordEmbed, DiscordMessage } from '#shared/schemas/bot.ts';
import { type MissionRole, SIDES, type Side, type Theater } from '#shared/vocabulary.ts';
import { zuluDayWords } from '#server/time/clock-text.ts';
import { discordMarkdown, discordTime, escapeMarkdown, fitLines, nameText } from './markdown.ts';
import { cut } from './mission-event.ts';
import { actionButton, sideText, stateButton } from './parts.ts';
import { COLOURS } from './colours.ts';

export interface CardSeat {
  /** the pilot's call sign; null for an open seat */
  pilot: string | null;
  /** the pilot has an order and has not answered yet */
  isAsked: boolean;
  /** the pilot did not turn up, as recorded after the mission */
  isNoShow: boolean;
}

export interface CardFlight {
  callsign: string;
  aircraft: string;
  role: MissionRole;
  side: Side;
  seats: readonly CardSeat[];
}

export interface MissionCardFacts extends MissionSides {
  id: string;
  name: string;
  theater: Theater;
  startMs: number;
  isCancelled: boolean;
  notes: string | null;
  standby: number;
  /** in the order of the mission */
  flights: readonly CardFlight[];
}

type State = 'ahead' | 'under way' | 'over' | 'cancelled';

const COLOUR_OF: Record<State, number> = {
  ahead: COLOURS.waits,
  'under way': COLOURS.holds,
  over: COLOURS.over,
  cancelled: COLOURS.over,
};

const NOTES_LENGTH = 300;
/** Room for the notes once escaped and marked up. */
const NOTES_ROOM = 900;
const TITLE_LENGTH = 75;
/** Up to this many flights each have a field of their own; Discord allows 25 fields. */
const FIELDS_MAX = 20;
/** Discord counts all texts of the embeds together, and allows 6,000 characters. */
const FLIGHTS_ROOM = 3_600;
const CALLSIGN_LENGTH = 40;
const PILOT_LENGTH = 32;

function stateOf({ startMs, endMs, isCancelled }: MissionCardFacts, nowMs: number): State {
  if (isCancelled) return 'cancelled';
  if (nowMs < startMs) return 'ahead';
  return nowMs < endMs ? 'under way' : 'over';
}

/** @returns when the clock changes the card next; null for never */
export function nextCardMs({ startMs, endMs, isCancelled }: MissionCardFacts, nowMs: number): number | null {
  return isCancelled ? null : ([startMs, endMs].find((moment) => moment > nowMs) ?? null);
}

const titleText = (name: string) => escapeMarkdown(cut(name.replaceAll(/\s+/g, ' ').trim(), TITLE_LENGTH));

/** The card in a server that the mission has been taken out of. */
export const leftOutCard = ({ name }: MissionCardFacts, texts: Texts): DiscordMessage => ({
  embeds: [{ title: titleText(name), description: texts('missionCard.leftOut'), color: COLOURS.over }],
});

const pilotText = (name: string) => escapeMarkdown(cut(name.replaceAll(/\s+/g, ' '), PILOT_LENGTH));

/** Pilots that a card names: `all`, with those who were asked, for admins; `accepted` for everybody; `none` for secret sides. */
type Names = 'all' | 'accepted' | 'none';

/** `Vesper`, `Vesper (asked)` or `open`; after the start, an empty seat stays empty. */
function seatText({ pilot, isAsked, isNoShow }: CardSeat, state: State, names: Names, texts: Texts): string {
  if (pilot === null || (isAsked && state !== 'ahead'))
    return texts(state === 'ahead' ? 'missionCard.open' : 'missionCard.empty');
  if (isNoShow && state === 'over') return texts('missionCard.absent', { pilot: `~~${pilotText(pilot)}~~` });
  if (!isAsked) return pilotText(pilot);
  return names === 'all' ? texts('missionCard.askedPilot', { pilot: pilotText(pilot) }) : texts('missionCard.asked');
}

/** A flight of a secret side: `2 of 4 seats open`; after the start, `4 seats`. */
function openText({ seats }: CardFlight, state: State, texts: Texts): string {
  if (seats.length === 0) return texts('missionCard.noSeats');
  const open = seats.filter(({ pilot }) => pilot === null).length;
  return texts(state === 'ahead' ? 'missionCard.openOf' : 'missionCard.seats', { open, seats: seats.length });
}

const flightName = ({ callsign, aircraft, role, side }: CardFlight, showsSide: boolean, texts: Texts) =>
  [
    escapeMarkdown(cut(callsign, CALLSIGN_LENGTH)),
    nameText(aircraft),
    role,
    ...(showsSide ? [sideText(side, texts)] : []),
  ].join(' · ');

/** The flights: a field for each, or lines if there are many, cut with a sentence. */
function flightsPart(
  { flights }: MissionCardFacts,
  { state, names }: { state: State; names: Names },
  texts: Texts,
): { fields: NonNullable<DiscordEmbed['fields']>; lines: string } {
  const showsSide =
    new Set(flights.map(({ side }) => side)).size > 1 || flights.some(({ side }) => side !== SIDES.blue);
  const fields = flights.map((flight) => ({
    name: flightName(flight, showsSide, texts),
    value:
      (names !== 'none' &&
        flight.seats.map((seat, index) => `${index + 1} ${seatText(seat, state, names, texts)}`).join('\n')) ||
      openText(flight, state, texts),
    inline: true,
  }));
  const length = fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  if (fields.length <= FIELDS_MAX && length <= FLIGHTS_ROOM) return { fields, lines: '' };
  const lines = flights.map(
    (flight) =>
      `**${flightName(flight, showsSide, texts)}**: ${names === 'none' ? openText(flight, state, texts) : flight.seats.map((seat) => seatText(seat, state, names, texts)).join(', ')}`,
  );
  return { fields: [], lines: fitLines(lines, FLIGHTS_ROOM, (left) => texts('missionCard.moreFlights', { left })) };
}

/** `7 of 12 seats taken, 3 asked, 2 open · 1 on standby` */
function countsText({ flights, standby }: MissionCardFacts, state: State, texts: Texts): string {
  const seats = flights.flatMap((flight) => flight.seats);
  const asked = seats.filter(({ isAsked }) => isAsked).length;
  const taken = seats.filter(({ pilot, isAsked }) => pilot !== null && !isAsked);
  if (state === 'over') return texts('missionCard.flew', { count: taken.filter(({ isNoShow }) => !isNoShow).length });
  const parts = [texts('missionCard.taken', { taken: taken.length, seats: seats.length })];
  if (state !== 'ahead') return parts.join('');
  if (asked > 0) parts.push(texts('missionCard.askedCount', { count: asked }));
  parts.push(texts('missionCard.openCount', { count: seats.length - taken.length - asked }));
  return `${parts.join(', ')} · ${texts('missionCard.standbyCount', { count: standby })}`;
}

const OPENING: Record<State, TextKey | null> = {
  ahead: null,
  'under way': 'missionCard.underWay',
  over: 'missionCard.over',
  cancelled: 'missionCard.cancelled',
};

/** The first characters of the notes; as Markdown, whose marks do not count. */
function notesText({ notes }: MissionCardFacts): string[] {
  if (notes === null || notes.trim() === '') return [];
  return [discordMarkdown([cut(notes.trim(), NOTES_LENGTH)], NOTES_ROOM)];
}

function buttonsOf({ id }: MissionCardFacts, state: State, texts: Texts): DiscordButton[] {
  switch (state) {
    case 'ahead':
      return [
        actionButton(texts('missionCard.takeSeat'), 'take-seat', id, 'primary'),
        actionButton(texts('missionCard.joinStandby'), 'join-standby', id),
        actionButton(texts('missionCard.dropOut'), 'drop-out', id, 'danger'),
        actionButton(texts('missionCard.myOrder'), 'my-order', id),
      ];
    case 'under way':
      return [
        stateButton(texts('badge.underWay'), 'take-seat', id),
        actionButton(texts('missionCard.myOrder'), 'my-order', id),
      ];
    case 'over':
      return [stateButton(texts('badge.over'), 'take-seat', id)];
    case 'cancelled':
      return [stateButton(texts('badge.cancelled'), 'take-seat', id)];
  }
}

/**
 * The card of a mission at an instant. Its buttons' ids contain the mission's id, by which the card can be found.
 * Everybody in the server sees it, so it has no frequencies, and of secret sides neither crews nor notes.
 * @param roleId the role that it mentions; null for none
 * @param isForAdmin a private reply, which names everybody
 */
export function missionCard(
  mission: MissionCardFacts,
  { publicUrl, roleId, isForAdmin = false }: { publicUrl: string; roleId: string | null; isForAdmin?: boolean },
  nowMs: number,
  texts: Texts,
): DiscordMessage {
  const { name, theater, startMs, id } = mission;
  const state = stateOf(mission, nowMs);
  const url = `${publicUrl}/missions/${id}`;
  const title = titleText(name);
  const when = `${discordTime(startMs, 'F')} (${discordTime(startMs, 'R')})\n${zuluDayWords(startMs)} · ${theater}`;
  const showsCrews = mission.flights.every(({ side }) => viewOfSide(ANYBODY, side, mission, nowMs) === 'roster');
  const names = isForAdmin ? 'all' : showsCrews ? 'accepted' : 'none';
  const { fields, lines } = flightsPart(mission, { state, names }, texts);
  const counts = state === 'cancelled' ? [] : [countsText(mission, state, texts)];
  const opening = OPENING[state] === null ? '' : `${texts(OPENING[state])} `;
  return {
    ...(roleId === null ? {} : { content: `<@&${roleId}>` }),
    embeds: [
      {
        title: state === 'cancelled' ? `~~${title}~~` : title,
        url,
        description: [
          `${opening}${state === 'cancelled' ? `~~${when.replace('\n', '~~\n~~')}~~` : when}`,
          ...(state === 'cancelled'
            ? []
            : [...counts, ...(lines === '' ? [] : [lines]), ...(names === 'none' ? [] : notesText(mission))]),
        ].join('\n\n'),
        color: COLOUR_OF[state],
        ...(state === 'cancelled' || fields.length === 0 ? {} : { fields }),
      },
    ],
    components: [buttonRow(...buttonsOf(mission, state, texts), linkButton(texts('site.openHere'), url))],
  };
}
