/** Catalogue entries for the evening strip. */
import { EveningStrip, type StripLane } from '#client/domain-ui/evening-strip.tsx';
import { LONG, type Specimens } from './specimens.tsx';

const MINUTE_MS = 60_000;
const iso = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();
/** @param from minutes from now to the briefing */
const laneOf = (id: string, from: number, lane: Partial<StripLane> = {}): StripLane => ({
  id,
  name: id,
  isOwn: false,
  startUtc: iso(from),
  launchUtc: iso(from + 35),
  totUtc: iso(from + 65),
  endUtc: iso(from + 180),
  ...lane,
});

export const EVENING: Specimens = {
  'domain-ui/evening-strip': {
    'an evening, one mission under way': (
      <EveningStrip
        label="Next 24 hours"
        lanes={[
          laneOf('Op Iron Hound', -50, { isOwn: true }),
          laneOf(LONG, 95, { totUtc: null }),
          laneOf('Op Cold Front', 100),
        ]}
      />
    ),
    'flights far ahead': (
      <EveningStrip
        label="Timeline"
        lanes={[laneOf('Viper 1', 9000), laneOf('Texaco 1', 9000, { launchUtc: iso(9005), totUtc: iso(9008) })]}
      />
    ),
    'over two days': (
      <EveningStrip label="Next 24 hours" withDates lanes={[laneOf('First', -20), laneOf('Last', 1430)]} />
    ),
  },
};
