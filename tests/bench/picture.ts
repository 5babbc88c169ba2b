/**
 * Picture of the README, from the figures of `rec-scale`: time and memory over the number of pilots, on logarithmic scales.
 * `npm run bench -- --write` draws it; the same figures make the same picture. It has its own background, so it can be read on
 * a light and a dark page.
 */
import type { Report } from './report.ts';

export const PICTURE = '.github/speed.svg';

type Point = { readonly pilots: number; readonly value: number };
type Line = { readonly name: string; readonly style: string; readonly points: readonly Point[] };

const [WIDTH, HEIGHT] = [960, 400];
/** Of each of the two charts. */
const CHART = { width: 330, height: 260, top: 70, lefts: [80, 540] };
/** Labels closer than this would overlap. */
const LABEL_HEIGHT = 15;

const number = (value: number): string => value.toLocaleString('en-US');
const round = (value: number): string => value.toFixed(1);
const powers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));

function nameOfMs(ms: number): string {
  if (ms >= 1_000) return `${ms / 1_000} s`;
  return ms >= 1 ? `${ms} ms` : `${number(Number((ms * 1_000).toPrecision(1)))} µs`;
}

function nameOfBytes(bytes: number): string {
  if (bytes >= 1e9) return `${bytes / 1e9} GB`;
  if (bytes >= 1e6) return `${bytes / 1e6} MB`;
  return bytes >= 1e3 ? `${bytes / 1e3} KB` : `${bytes} B`;
}

/** Moves labels apart, keeping their order. */
function spread(heights: readonly number[]): number[] {
  const order = heights.map((_, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const placed = [...heights];
  order.forEach((index, rank) => {
    const above = placed[order[rank - 1] ?? -1];
    if (above !== undefined) placed[index] = Math.max(placed[index] ?? 0, above + LABEL_HEIGHT);
  });
  return placed;
}

function drawChart(left: number, title: string, lines: readonly Line[], nameOf: (value: number) => string): string {
  const points = lines.flatMap((line) => line.points);
  const values = points.map(({ value }) => Math.log10(value));
  const pilots = points.map((point) => Math.log10(point.pilots));
  const [low, high] = [Math.floor(Math.min(...values)), Math.ceil(Math.max(...values))];
  const [few, many] = [Math.floor(Math.min(...pilots)), Math.ceil(Math.max(...pilots))];
  const x = (count: number) => left + ((Math.log10(count) - few) / Math.max(1, many - few)) * CHART.width;
  const y = (value: number) =>
    CHART.top + CHART.height - ((Math.log10(value) - low) / Math.max(1, high - low)) * CHART.height;
  const bottom = CHART.top + CHART.height;
  const rows = powers(low, high).map(
    (value) =>
      `<path class="grid" d="M${left} ${round(y(value))}h${CHART.width}"/>` +
      `<text class="tick" x="${left - 8}" y="${round(y(value) + 4)}" text-anchor="end">${nameOf(value)}</text>`,
  );
  const columns = powers(few, many).map(
    (count) =>
      `<path class="grid" d="M${round(x(count))} ${CHART.top}v${CHART.height}"/>` +
      `<text class="tick" x="${round(x(count))}" y="${bottom + 20}" text-anchor="middle">${number(count)}</text>`,
  );
  const labels = spread(lines.map((line) => y(line.points.at(-1)?.value ?? 1) + 4));
  const drawn = lines.map(({ name, style, points: own }, index) => {
    const path = own.map((point) => `${round(x(point.pilots))} ${round(y(point.value))}`).join('L');
    const dots = own.map(
      (point) => `<circle class="${style}" cx="${round(x(point.pilots))}" cy="${round(y(point.value))}" r="3.5"/>`,
    );
    const label = `<text class="${style}" x="${left + CHART.width + 8}" y="${round(labels[index] ?? 0)}">${name}</text>`;
    return `<path class="line ${style}" d="M${path}"/>${dots.join('')}${label}`;
  });
  return [
    `<text class="title" x="${left}" y="${CHART.top - 18}">${title}</text>`,
    ...rows,
    ...columns,
    `<text class="tick" x="${left + CHART.width / 2}" y="${bottom + 42}" text-anchor="middle">pilots</text>`,
    ...drawn,
  ].join('\n');
}

const STYLE = `
svg { font: 13px system-ui, sans-serif; }
.back { fill: #ffffff; } .title { fill: #1f2933; font-weight: 600; font-size: 15px; } .tick { fill: #52606d; }
.grid { stroke: #d9dfe5; fill: none; } .line { fill: none; stroke-width: 2.5; }
text.index, circle.index { fill: #0b6e4f; } .line.index { stroke: #0b6e4f; }
text.scan, circle.scan { fill: #b3441c; } .line.scan { stroke: #b3441c; }
text.read, circle.read { fill: #35538f; } .line.read { stroke: #35538f; stroke-dasharray: 6 4; }
@media (prefers-color-scheme: dark) {
.back { fill: #12181f; } .title { fill: #e6ebf0; } .tick { fill: #a3b0bd; } .grid { stroke: #2c3742; }
text.index, circle.index { fill: #4cc79a; } .line.index { stroke: #4cc79a; }
text.scan, circle.scan { fill: #ff9468; } .line.scan { stroke: #ff9468; }
text.read, circle.read { fill: #8db0f5; } .line.read { stroke: #8db0f5; }
}`;

/** @param reports of which those of `rec-scale` are drawn */
export function drawPicture(reports: readonly Report[]): string {
  const scale = reports.filter(({ name }) => name === 'rec-scale');
  const points = (valueOf: (report: Report) => number | string | undefined): Point[] =>
    scale.map((report) => ({ pilots: Number(report.more.pilots), value: Number(valueOf(report)) }));
  const [timeLeft = 0, memoryLeft = 0] = CHART.lefts;
  const time = drawChart(
    timeLeft,
    'Time to count who is free, all day',
    [
      { name: 'grid scan', style: 'scan', points: points((report) => report.baselineMedian) },
      { name: 'one read', style: 'read', points: points(({ more }) => more.oneReadMedian) },
      { name: 'Marshal', style: 'index', points: points((report) => report.median) },
    ],
    nameOfMs,
  );
  const memory = drawChart(
    memoryLeft,
    'Memory',
    [
      { name: 'Marshal', style: 'index', points: points(({ more }) => more.indexBytes) },
      { name: 'grid scan', style: 'scan', points: points(({ more }) => more.gridBytes) },
      { name: 'one read', style: 'read', points: points(({ more }) => more.oneReadBytes) },
    ],
    nameOfBytes,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">
<title>Time and memory of counting free pilots, from 1,000 to 1,000,000 pilots</title>
<style>${STYLE}
</style>
<rect class="back" width="${WIDTH}" height="${HEIGHT}" rx="8"/>
${time}
${memory}
</svg>
`;
}
