/** Why a mission has no seat for a pilot, in Discord, with the way on. */
import { buttonRow, linkButton } from '#shared/discord-links.ts';
import type { TextKey, Texts } from '#shared/discord-texts/catalogue.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { FlyAnywayDto, OpeningsDto, RemedyDto } from '#shared/schemas/seats.ts';
import { writeStandbyChoice } from '#shared/seat-choice.ts';
import { panelPath } from '#shared/profile-sections.ts';
import type { IneligibilityReason, SeatFix } from '#shared/vocabulary.ts';
import { discordTime, escapeMarkdown, nameText } from './markdown.ts';
import { actionButton } from './parts.ts';
import { seatMenu } from './seat-menu.ts';

type ClosedMission = OpeningsDto['closed'][number];

const FIX_WORDS: Record<Exclude<SeatFix, 'addAvailability'>, TextKey> = {
  addAircraft: 'closed.addsAircraft',
  endLeave: 'closed.endsLeave',
  endDoNotDisturb: 'closed.endsDoNotDisturb',
};

/** The change that helps if no change of one call is enough; null: the queue. A new reason needs a line. */
const BY_HAND: Record<IneligibilityReason, { label: TextKey; path: (mission: ClosedMission) => string } | null> = {
  NOT_AVAILABLE: { label: 'missions.enterTimes', path: () => '/availability' },
  ON_LEAVE: { label: 'closed.changeLeave', path: () => '/availability' },
  AIRCRAFT: { label: 'closed.changeAircraft', path: () => panelPath('aircraft') },
  COMMITTED: {
    label: 'closed.openOther',
    path: ({ committedTo, missionId }) => `/missions/${committedTo?.missionId ?? missionId}`,
  },
  DO_NOT_DISTURB: { label: 'closed.changeStatus', path: () => '/home' },
  OUTRANKED: null,
};

const spanText = ({ startUtc, endUtc }: RemedyDto['missing'][number], texts: Texts): string =>
  texts('closed.span', { start: discordTime(Date.parse(startUtc), 'F'), end: discordTime(Date.parse(endUtc), 't') });

const remedyOf = ({ flyAnyway }: ClosedMission): RemedyDto | null => flyAnyway?.seats[0] ?? flyAnyway?.standby ?? null;

/** The reason. Times are Discord's, which each reader sees in their own zone. */
export function reasonText(mission: ClosedMission, texts: Texts): string {
  const missing = remedyOf(mission)?.missing ?? [];
  if (mission.reason !== 'NOT_AVAILABLE' || missing.length === 0) return escapeMarkdown(mission.sentence);
  return texts('closed.notAvailable', { times: missing.map((part) => spanText(part, texts)).join(', ') });
}

/** The changes that come with taking a seat, or with standing by if no seat is free; each once. */
function remedyLines({ seats, standby }: FlyAnywayDto, texts: Texts): string[] {
  const way = seats.length > 0 ? 'seat' : 'standby';
  const lines = (seats.length > 0 ? seats : [standby]).flatMap((remedy) => {
    if (remedy === null) return [];
    const { fixes, missing, aircraftName } = remedy;
    return fixes.map((fix) =>
      fix === 'addAvailability'
        ? texts('closed.addsTimes', { way, times: missing.map((part) => spanText(part, texts)).join(', ') })
        : texts(FIX_WORDS[fix], { way, aircraft: nameText(aircraftName) }),
    );
  });
  return [...new Set(lines)];
}

function wayOn(mission: ClosedMission, publicUrl: string, texts: Texts) {
  const { missionId, flyAnyway, standby, reason } = mission;
  if (flyAnyway?.standby) {
    const subject = writeStandbyChoice({ missionId, fixes: flyAnyway.standby.fixes });
    return [actionButton(texts('closed.standByAnyway'), 'join-standby', subject)];
  }
  if (standby === 'open') return [actionButton(texts('missionCard.joinStandby'), 'join-standby', missionId)];
  const byHand = BY_HAND[reason];
  return byHand ? [linkButton(texts(byHand.label), `${publicUrl}${byHand.path(mission)}`)] : [];
}

/** For a pilot whom no seat fits: the reason, and the seats or the queue that are open after a change, or another button. */
export function closedMessage(mission: ClosedMission, publicUrl: string, texts: Texts): DiscordMessage {
  const { flyAnyway } = mission;
  const lines = [reasonText(mission, texts), ...(flyAnyway === null ? [] : remedyLines(flyAnyway, texts))];
  if (flyAnyway !== null && flyAnyway.seats.length > 0)
    return seatMenu({ ...mission, seats: flyAnyway.seats }, texts, lines);
  const buttons = wayOn(mission, publicUrl, texts);
  return { content: lines.join('\n'), ...(buttons.length > 0 && { components: [buttonRow(...buttons)] }) };
}
