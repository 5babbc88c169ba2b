import type { ReactNode } from 'react';
import classes from './art.module.css';

/** Decorative drawings of the feature cards, hidden from screen readers. */
function Instrument({ children }: { children: ReactNode }) {
  return (
    <svg
      className={classes.instrument}
      viewBox="0 0 264 64"
      width="264"
      height="64"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

/** Symbol of a friendly aircraft: a frame, open at the back. */
function frame(x: number, y: number): string {
  return `M${x - 6} ${y + 5}v-10h12v10`;
}

const FINGER_FOUR = [
  [0, 0],
  [-17, 14],
  [17, 13],
  [34, 27],
] as const;

/** Four flights of four, the first one highlighted. */
export function GroupsArt() {
  return (
    <Instrument>
      {[28, 94, 160, 226].map((x, index) => (
        <path
          key={x}
          className={index === 0 ? classes.friend : classes.friendFaint}
          d={FINGER_FOUR.map(([dx, dy]) => frame(x + dx - 2, 18 + dy)).join('')}
        />
      ))}
    </Instrument>
  );
}

const DAYS = ['S', 'M', 'T', 'W', 'T', 'F', 'S'];
/** Painted slots of the sample week: weekday, top and height. */
const SLOTS = [
  [2, 42, 16],
  [4, 42, 16],
  [5, 48, 14],
  [6, 28, 24],
] as const;

export function WeekArt() {
  return (
    <Instrument>
      {DAYS.map((day, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the days of a week do not move
        <g key={index}>
          <text x={index * 38 + 16} y="12" textAnchor="middle">
            {day}
          </text>
          <rect className={classes.seam} x={index * 38 + 1} y="20" width="30" height="43" />
        </g>
      ))}
      {SLOTS.map(([day, top, height]) => (
        <rect key={day} className={classes.painted} x={day * 38 + 1} y={top} width="30" height={height} />
      ))}
    </Instrument>
  );
}

/** Controllers with the trace of their voice. */
const VOICES = [
  ['ATC', 12, 'M96 12h20l3-7 4 13 4-11 3 8 3-3h36l3-6 4 10 3-4h83'],
  ['AWACS', 32, 'M96 32h52l3-9 4 16 4-13 4 11 3-8 3 3h24l3-7 4 12 3-5h59'],
  ['STRIKE', 52, 'M96 52h100l3-8 4 14 4-12 4 9 3-3h44'],
] as const;

export function ControllersArt() {
  return (
    <Instrument>
      {VOICES.map(([name, y, trace]) => (
        <g key={name}>
          <circle className={classes.live} cx="7" cy={y} r="5" />
          <text x="22" y={y} dy=".35em">
            {name}
          </text>
          <path className={classes.trace} d={trace} />
        </g>
      ))}
    </Instrument>
  );
}

/** Level of each pilot and the matched seat: 0 is the lead, 2 leads the second pair. */
const MATCHES = [
  { level: 2, seat: 1 },
  { level: 4, seat: 0 },
  { level: 1, seat: 3 },
  { level: 3, seat: 2 },
] as const;

export function MatchArt() {
  const row = (index: number): number => index * 17 + 6;
  return (
    <Instrument>
      {MATCHES.map(({ level, seat }, pilot) => (
        <g key={seat}>
          <path
            className={classes.bars}
            d={Array.from({ length: level }, (_bar, bar) => `M${4 + bar * 9} ${row(pilot) - 5}v10`).join('')}
          />
          <path className={classes.link} d={`M46 ${row(pilot)}C90 ${row(pilot)} 84 ${row(seat)} 128 ${row(seat)}`} />
          <path className={classes.friend} d={frame(142, row(seat))} />
          <text x="162" y={row(seat)} dy=".35em">
            {['lead', 'wing', 'element', 'wing'][seat]}
          </text>
        </g>
      ))}
    </Instrument>
  );
}

export function StoplightArt() {
  return (
    <Instrument>
      <circle className={classes.off} cx="24" cy="22" r="13" />
      <path className={classes.stop} d="M88 9h26v26H88z" />
      <path className={classes.go} d="M206 7l17 28h-34z" />
      <text x="24" y="58" textAnchor="middle">
        Idle
      </text>
      <text x="101" y="58" textAnchor="middle">
        DND
      </text>
      <text x="206" y="58" textAnchor="middle">
        Find Flight
      </text>
    </Instrument>
  );
}

/** Three taken seats, and a freed one offered to the next pilot. */
export function FragArt() {
  return (
    <Instrument>
      {[1, 2, 3].map((seat) => (
        <rect key={seat} className={classes.seat} x={(seat - 1) * 34 + 1} y="20" width="24" height="24" />
      ))}
      <rect className={classes.openSeat} x="103" y="20" width="24" height="24" />
      <path className={classes.course} d="M226 32h-87m9-8-9 8 9 8" />
      <path className={classes.courseMark} d="m238 20 12 12-12 12-12-12z" />
      <text x="182" y="18" textAnchor="middle">
        next best
      </text>
      <text x="115" y="60" textAnchor="middle">
        free
      </text>
    </Instrument>
  );
}
