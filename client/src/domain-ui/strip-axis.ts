/** The Zulu axis of the evening strip: its span, its ticks, and where instants stand on it. */

/** Times of a lane, as ISO instants. */
export interface StripTimes {
  /** the briefing */
  startUtc: string;
  launchUtc: string | null;
  totUtc: string | null;
  endUtc: string;
}

export interface StripAxis {
  /** full hours in Zulu, in order; `share` is their place in percent of the width */
  ticks: { iso: string; share: number }[];
  /** null when it is not on the axis */
  nowShare: number | null;
  /** the place of an instant, in percent of the width; those beyond the axis stand at its ends */
  shareOf: (iso: string) => number;
}

const HOUR_MS = 3_600_000;
/** The line of the present is on the axis from here on before the first start: earlier the lanes would become too short. */
const LEAD_MS = 6 * HOUR_MS;
/** Of the axis, from one label to the next: a label at the edge and the one beside it fit on a screen of 320 px. */
const STEP_SHARE = 0.25;
const STEPS_HOURS = [1, 2, 3, 4, 6, 8, 12, 24] as const;

/** @param lanes at least one */
export function stripAxis(lanes: readonly StripTimes[], now: Date): StripAxis {
  const nowMs = now.getTime();
  const firstMs = Math.min(...lanes.map(({ startUtc }) => Date.parse(startUtc)));
  const lastMs = Math.max(...lanes.map(({ endUtc }) => Date.parse(endUtc)));
  const isNear = nowMs < lastMs && firstMs - nowMs <= LEAD_MS;
  const begin = isNear ? Math.min(firstMs, nowMs) : firstMs;
  const fromMs = Math.floor(begin / HOUR_MS) * HOUR_MS;
  const toMs = Math.max(Math.ceil(lastMs / HOUR_MS) * HOUR_MS, fromMs + HOUR_MS);
  const share = (ms: number): number => Math.min(100, Math.max(0, ((ms - fromMs) / (toMs - fromMs)) * 100));

  const stepHours = STEPS_HOURS.find((hours) => hours * HOUR_MS >= STEP_SHARE * (toMs - fromMs)) ?? 24;
  const stepMs = stepHours * HOUR_MS;
  const firstTick = Math.ceil(fromMs / stepMs) * stepMs;
  const count = Math.max(0, Math.floor((toMs - firstTick) / stepMs) + 1);
  const ticks = Array.from({ length: count }, (_, at) => firstTick + at * stepMs);
  return {
    ticks: ticks.map((ms) => ({ iso: new Date(ms).toISOString(), share: share(ms) })),
    nowShare: isNear ? share(nowMs) : null,
    shareOf: (iso) => share(Date.parse(iso)),
  };
}
