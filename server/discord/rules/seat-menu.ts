/** The open seats of a mission as a menu in Discord, and the message after one was taken. */
import type { Texts } from '#shared/discord-texts/catalogue.ts';
import { writeButtonId } from '#shared/discord-button-ids.ts';
import { writeSeatChoice } from '#shared/seat-choice.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import type { SeatFix } from '#shared/vocabulary.ts';
import { cutText, nameText } from './markdown.ts';
import { sideText } from './parts.ts';

/** Discord's limits on menus. */
const OPTIONS_MAX = 25;
const OPTION_LENGTH = 100;

type OpenMission = OpeningsDto['open'][number];
/** A seat, with what changes when the pilot takes it. */
type Seat = OpenMission['seats'][number] & { readonly fixes?: SeatFix[] };

/** As many seats as fit into a menu: of each flight the first open one, then the others; in the order of the mission. */
function chooseSeats(seats: readonly Seat[]): readonly Seat[] {
  const firsts = new Map(seats.toReversed().map((seat) => [seat.flightId, seat]));
  const chosen = new Set([...firsts.values()].toReversed().slice(0, OPTIONS_MAX));
  for (const seat of seats) if (chosen.size < OPTIONS_MAX) chosen.add(seat);
  return seats.filter((seat) => chosen.has(seat));
}

/** `F-16C Viper · CAP · Blue · lead` */
const describeSeat = ({ aircraftName, role, side, isLead, isListed }: OpenMission['seats'][number], texts: Texts) =>
  [
    aircraftName,
    role,
    sideText(side, texts),
    ...(isLead ? [texts('seatMenu.lead')] : []),
    ...(isListed ? [] : [texts('seatMenu.notOnList')]),
  ].join(' · ');

interface Menu extends Pick<OpenMission, 'missionId' | 'missionName'> {
  seats: readonly Seat[];
}

/**
 * The menu of the seats that a pilot can take. Option texts format nothing, so nothing is escaped.
 * @param above lines above the menu, in place of its title
 */
export function seatMenu(
  { missionId, missionName, seats }: Menu,
  texts: Texts,
  above?: readonly string[],
): DiscordMessage {
  const shown = chooseSeats(seats);
  const rest = seats.length - shown.length;
  return {
    content: [
      ...(above ?? [texts('seatMenu.title', { mission: nameText(missionName) })]),
      ...(rest > 0 ? [texts('seatMenu.more', { rest })] : []),
    ].join('\n'),
    menu: {
      custom_id: writeButtonId({ action: 'pick-seat', subject: missionId, seenMs: null }),
      placeholder: texts('seatMenu.choose'),
      options: shown.map((seat) => ({
        label: cutText(
          texts('seatMenu.seat', { flight: seat.flightCallsign, seat: seat.seatIndex + 1 }),
          OPTION_LENGTH,
        ),
        description: cutText(describeSeat(seat, texts), OPTION_LENGTH),
        value: writeSeatChoice({ ...seat, fixes: seat.fixes ?? [] }),
      })),
    },
  };
}

/** Replaces the menu. @param card the order as a message */
export function seatTaken(order: FragOrderDto, card: DiscordMessage, texts: Texts): DiscordMessage {
  const { label, missionName, flightCallsign, seatIndex } = order;
  const flight = nameText(flightCallsign);
  const mission = nameText(missionName);
  return { ...card, content: texts('seatMenu.taken', { flight, seat: seatIndex + 1, order: label, mission }) };
}
