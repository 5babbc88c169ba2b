/**
 * Benchmark of counting as other programs do it: `npm run bench -- rec-peers`. Each of `peers.ts` on the same crowd,
 * against the availability index.
 */
import { datedWindows } from './dated-crowd.ts';
import { type Count, mapOfSets, scoreOptions, searchStrings } from './peers.ts';
import { enrol, expectedCounts, sizeOf, wrongCells } from './rec-given.ts';
import { hashAnswer, type Report, type Size, timed } from './report.ts';
import { calls, type Contender, inRounds } from './rounds.ts';

const SEED = 101;
const OWN = 'availability index';

export async function recPeers(size: Size): Promise<Report[]> {
  const [pilots, rounds, runs] = size === 'full' ? [100_000, 7, 50_000] : [300, 1, 3];
  const { crowd, countCells } = enrol({ seed: SEED, pilots, step: 15, overrides: 0 });
  const windows = datedWindows(crowd);
  const peers: Readonly<Record<string, Count>> = {
    'cells x people with string search, as Crab Fit does it': searchStrings(windows),
    'map of sets, as Timeful does it': mapOfSets(windows),
    'options x participants, as Rallly scores': scoreOptions(windows),
  };
  const answers = new Map<string, ArrayLike<number>>();
  const contenders: Record<string, Contender> = { [OWN]: calls(runs, countCells) };
  for (const [name, count] of Object.entries(peers)) contenders[name] = calls(1, () => answers.set(name, count()));
  const timings = await inRounds(rounds, contenders);
  const expected = expectedCounts(crowd);
  const counts = countCells();
  return Object.keys(peers).flatMap((baseline): Report[] => {
    const [own, other] = [timings[OWN], timings[baseline]];
    if (!own || !other) return [];
    const gap = wrongCells(counts, expected) + wrongCells(answers.get(baseline) ?? [], expected);
    return [
      {
        name: 'rec-peers',
        seed: SEED,
        size: `${sizeOf(pilots)}, ${baseline}`,
        ...timed(own, baseline, other),
        gap,
        more: {},
        answerHash: hashAnswer(Array.from(counts)),
        bar: 'the same count in every cell',
        barMet: gap === 0,
        ok: gap === 0,
      },
    ];
  });
}
