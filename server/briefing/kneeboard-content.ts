/** Text content of a kneeboard card, already formatted. */
import type { Side } from '#shared/vocabulary.ts';

/** One instant: `1905Z`, `2005L`, and `+1` or `−1` when the local date is not the Zulu date. */
export interface CardTime {
  label: string;
  zulu: string;
  local: string;
  shift: string;
}

export interface CardFlight {
  callsign: string;
  aircraft: string;
  radio: string | null;
  isOwn: boolean;
  /** call sign of the accepted pilot, null where nobody has accepted, by seat */
  seats: (string | null)[];
}

/** All the words on a card, formatted; two cards with equal words are the same picture. */
export interface KneeboardCard {
  label: string;
  mission: string;
  theater: string;
  role: string;
  dateZulu: string;
  dateLocal: string;
  zone: string;
  times: CardTime[];
  callsign: string;
  seat: string;
  aircraft: string;
  side: Side;
  radio: string | null;
  package: { callsign: string; objective: string };
  /** of the package, the own one first */
  flights: CardFlight[];
  notes: string | null;
  footer: { pilot: string; issued: string; host: string };
}
