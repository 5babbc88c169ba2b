/**
 * Benchmark of a mission with too few pilots: `npm run bench -- match-scarce`. The result must be the optimum by HiGHS in
 * every priority; a greedy seating, which gives each seat in turn to the best pilot left, shows the difference.
 */
import { seatMission, type SeatingPilot } from '#server/orders/seating/rules/one-mission/seating.ts';
import { EARLY, mission } from '#tests/unit/server/orders/seating/seating-given.ts';
import { type Constraint, maximize, type Terms } from './lp.ts';
import { gainsOf, givenMatch, type Match, pilotsOf, worthOf } from './match-given.ts';
import { figure, hashAnswer, type Report, type Size, timed } from './report.ts';
import { calls, inRounds } from './rounds.ts';

const SEED = 70;

/** Gives each seat in turn to the best pilot left, by the same priorities. */
function seatGreedily({ seats, pilots }: Match): (SeatingPilot | null)[] {
  const left = new Set(pilots);
  return seats.map((seat) => {
    let best: { pilot: SeatingPilot; gains: number[] } | null = null;
    for (const pilot of left) {
      const gains = gainsOf(seat, pilot);
      const differing = best && gains ? gains.findIndex((gain, priority) => gain !== best?.gains[priority]) : 0;
      if (gains && (gains[differing] ?? 0) > (best?.gains[differing] ?? -Infinity)) best = { pilot, gains };
    }
    if (best) left.delete(best.pilot);
    return best?.pilot ?? null;
  });
}

/** The maximum of each priority among the seatings that are the best by all earlier ones, and the time it took. */
async function bestWorth({ seats, pilots }: Match): Promise<{ worth: number[]; tookMs: number }> {
  const edges = seats.flatMap((seat, row) =>
    pilots.flatMap((pilot, column) => {
      const gains = gainsOf(seat, pilot);
      return gains ? [{ row, column, name: `x${row}_${column}`, gains: [1, ...gains] }] : [];
    }),
  );
  const once = (matches: (edge: (typeof edges)[number]) => boolean): Constraint => ({
    terms: edges.filter(matches).map(({ name }) => [1, name] as const),
    sense: '<=',
    bound: 1,
  });
  const constraints = [
    ...seats.map((_, row) => once((edge) => edge.row === row)),
    ...pilots.map((_, column) => once((edge) => edge.column === column)),
  ].filter(({ terms }) => terms.length > 0);
  const worth: number[] = [];
  let tookMs = 0;
  for (let priority = 0; priority < (edges[0]?.gains.length ?? 0); priority++) {
    const terms: Terms = edges.flatMap(({ name, gains }) => {
      const gain = gains[priority] ?? 0;
      return gain === 0 ? [] : [[gain, name] as const];
    });
    const { value, tookMs: took } = await maximize(terms, constraints);
    tookMs += took;
    worth.push(Math.round(value));
    // The optimal face has integral vertices, like the whole polytope, so the next priority is again a linear program.
    if (terms.length > 0) constraints.push({ terms, sense: '=', bound: Math.round(value) });
  }
  return { worth, tookMs };
}

export async function matchScarce(size: Size): Promise<Report[]> {
  const [flights, kinds, pilots, rounds, runs] = size === 'full' ? [16, 12, 64, 25, 300] : [3, 3, 12, 1, 3];
  const match = givenMatch({ seed: SEED, flights, kinds, pilots }, { own: 3, any: 0.3, none: 0.4 });
  const seat = () => seatMission({ ...match, mission, nowMs: EARLY });
  const { own, greedy } = await inRounds(rounds, {
    own: calls(runs, seat, 5 * runs),
    greedy: calls(5 * runs, () => seatGreedily(match), 25 * runs),
  });
  const holders = pilotsOf(match, seat());
  const worth = worthOf(match, holders);
  const best = await bestWorth(match);
  const differing = best.worth.findIndex((value, priority) => value !== worth[priority]);
  const gap = differing < 0 ? 0 : (best.worth[differing] ?? 0) - (worth[differing] ?? 0);
  const greedyWorth = worthOf(match, seatGreedily(match));
  const open = (filled = 0) => `${Math.round((100 * (match.seats.length - filled)) / match.seats.length)} %`;
  return [
    {
      name: 'match-scarce',
      seed: SEED,
      size: `${match.seats.length} seats x ${pilots} pilots, ${kinds} aircraft`,
      ...timed(own, 'greedy', greedy),
      gap,
      more: {
        filled: worth[0] ?? 0,
        filledByHighs: best.worth[0] ?? 0,
        filledByGreedy: greedyWorth[0] ?? 0,
        open: open(worth[0]),
        openByGreedy: open(greedyWorth[0]),
        highsMs: figure(best.tookMs),
      },
      answerHash: hashAnswer(holders.map((holder) => holder?.id ?? null)),
      bar: 'the optimum by HiGHS in every priority',
      barMet: gap === 0,
      ok: gap === 0,
    },
  ];
}
