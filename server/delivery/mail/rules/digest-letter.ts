/** The weekly digest as a letter: the pilot's seats, the orders that wait for an answer, and open seats. */
import { zuluAndLocal } from '#server/time/clock-text.ts';
import { fragLabel } from '#shared/labels.ts';
import { count } from '#shared/plural.ts';
import type { Letter } from './letter.ts';
import { seatWords, type LetterOrder } from './order-letter.ts';

/** A frag order with its page. */
export type DigestOrder = LetterOrder & { url: string };

/** A mission with open seats that the pilot could fly. Instants are epoch milliseconds. */
export interface DigestOpening {
  missionName: string;
  theater: string;
  startMs: number;
  /** of the seats that are open, each once */
  aircraftNames: readonly string[];
  seatCount: number;
}

/** The contents of a weekly digest. Each list is sorted by the start of its missions. */
export interface DigestContents {
  seats: readonly DigestOrder[];
  waiting: readonly DigestOrder[];
  open: readonly DigestOpening[];
}

interface Digest extends DigestContents {
  name: string | null;
  timeZone: string;
  /** of the page with the open seats */
  homeUrl: string;
  unsubscribeUrl: string;
}

export const isEmptyDigest = ({ seats, waiting, open }: DigestContents): boolean =>
  seats.length + waiting.length + open.length === 0;

/** `2 missions`, `2 missions, 1 to answer`, or `3 missions with open seats` for a pilot without any of their own. */
function countWords({ seats, waiting, open }: DigestContents): string {
  const own = seats.length + waiting.length;
  if (own === 0) return `${count(open.length, 'mission')} with open seats`;
  return `${count(own, 'mission')}${waiting.length > 0 ? `, ${waiting.length} to answer` : ''}`;
}

export function digestLetter(digest: Digest): Letter {
  const { seats, waiting, open, name, timeZone, homeUrl, unsubscribeUrl } = digest;
  const when = (ms: number) => zuluAndLocal(ms, timeZone);
  const entryOf = (order: DigestOrder, ...more: string[]) => ({
    title: `${order.missionName} (${order.theater})`,
    lines: [when(order.startMs), `${seatWords(order)}, ${order.aircraftName}`, ...more],
    link: { label: `Open ${fragLabel(order.seq)}`, url: order.url },
  });
  const sections = [
    {
      heading: 'To answer',
      entries: waiting.map((order) => entryOf(order, `Answer by ${when(order.expiresMs)}`)),
    },
    { heading: 'Your seats', entries: seats.map((order) => entryOf(order)) },
    {
      heading: 'Open seats you could fly',
      entries: open.map(({ missionName, theater, startMs, aircraftNames, seatCount }) => ({
        title: `${missionName} (${theater})`,
        lines: [when(startMs), `${count(seatCount, 'open seat')}: ${aircraftNames.join(', ')}`],
        link: { label: 'See the open seats', url: homeUrl },
      })),
    },
  ];
  const words = countWords(digest);
  const [next] = [...waiting, ...seats, ...open].toSorted((a, b) => a.startMs - b.startMs);
  return {
    subject: `Your week: ${words}`,
    preview: next ? `Next: ${next.missionName}, ${when(next.startMs)}.` : words,
    heading: `Your week: ${words}`,
    paragraphs: [name === null ? 'Hello,' : `Hello ${name},`, 'These are your next 7 days.'],
    sections: sections.filter(({ entries }) => entries.length > 0),
    because: 'You get this because you chose the weekly digest. Your profile has more choices.',
    unsubscribe: { label: 'No more weekly digests', url: unsubscribeUrl },
  };
}
