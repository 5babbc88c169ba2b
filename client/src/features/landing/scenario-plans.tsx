import type { ReactNode } from 'react';
import classes from './art.module.css';

/** Decorative plan views of the scenarios, hidden from screen readers. */
function Plan({ children }: { children: ReactNode }) {
  return (
    <svg className={classes.plan} viewBox="0 0 360 196" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

function frame(x: number, y: number): string {
  return `M${x - 8} ${y + 6}v-12h16v12`;
}

function diamond(x: number, y: number, half: number): string {
  return `M${x} ${y - half}l${half} ${half}-${half} ${half}-${half}-${half}z`;
}

/** Training: a racetrack with its anchor, and four aircraft on the outbound leg. */
export function TrainingPlan() {
  return (
    <Plan>
      <path className={classes.dashed} d="M62 14v168M14 98h332" />
      <path className={classes.course} d="M110 52h150a42 42 0 0 1 0 84H110a42 42 0 0 1 0-84z" />
      <path className={classes.course} d="m178 130-9 6 9 6m24-96 9 6-9 6" />
      <path className={classes.courseMark} d={diamond(110, 136, 9) + diamond(260, 136, 9)} />
      <path className={classes.friend} d={[frame(270, 28), frame(246, 19), frame(246, 37), frame(220, 37)].join('')} />
      <text x="110" y="168" textAnchor="middle" data-kind="course">
        ANCHOR
      </text>
      <text x="260" y="168" textAnchor="middle" data-kind="course">
        25 NM
      </text>
      <text x="185" y="100" textAnchor="middle">
        FL200
      </text>
      <text x="200" y="32" textAnchor="end" data-kind="blue">
        VIPER 1
      </text>
    </Plan>
  );
}

/** Capture the flag: two bases, and the blue four-ship's route to the red flag and back. */
export function CaptureTheFlagPlan() {
  return (
    <Plan>
      <path className={classes.dashed} d="M180 12v172" />
      <circle className={classes.seam} cx="52" cy="98" r="40" />
      <circle className={classes.seam} cx="308" cy="98" r="40" />
      <path className={classes.course} d="M70 82C120 26 220 22 290 80" />
      <path className={classes.course} d="M285.5 67.8 290 80l-12.8-2.2" />
      <path className={classes.courseAhead} d="M288 116C226 172 134 172 76 116" />
      <path className={classes.friendFilled} d="M44 112V80l20 8-20 8" />
      <path className={classes.hostile} d="M300 112V80l20 8-20 8" />
      <path className={classes.friend} d={[frame(146, 62), frame(124, 74), frame(158, 84), frame(136, 98)].join('')} />
      <path
        className={classes.hostile}
        d={[diamond(214, 98, 8), diamond(236, 112, 8), diamond(204, 122, 8), diamond(226, 136, 8)].join('')}
      />
      <text x="52" y="134" textAnchor="middle" data-kind="blue">
        BLUE
      </text>
      <text x="308" y="134" textAnchor="middle" data-kind="red">
        RED
      </text>
      <text x="172" y="24" textAnchor="end">
        8
      </text>
      <text x="188" y="24">
        8
      </text>
    </Plan>
  );
}

/** Night strike: a low route between hills to a target inside a threat ring and out another way, below the moon. */
export function NightStrikePlan() {
  return (
    <Plan>
      <path className={classes.moon} d="M332 14a20 20 0 1 0 12 30 17 17 0 0 1-12-30z" />
      <path className={classes.star} d="M24 24h0m52-8h0m70 14h0m52-16h0m56 8h0m-202 28h0m290 28h0" />
      <path className={classes.contour} d="M8 118c40-30 66 10 104-14s60-6 78 6 44-2 60-8 70-14 102 12" />
      <path className={classes.contour} d="M8 140c44-26 70 8 108-12s54-4 76 8 40 0 62-8 64-10 98 10" />
      <path className={classes.contour} d="M8 164c48-18 72 6 110-8s56-2 78 6 42 2 60-4 60-6 96 6" />
      <circle className={classes.threat} cx="256" cy="96" r="46" />
      <path className={classes.course} d="M30 172 104 132 168 148 246 104" />
      <path className={classes.courseAhead} d="M246 104 286 162 344 178" />
      <path className={classes.courseMark} d={diamond(104, 132, 9) + diamond(168, 148, 9)} />
      <path className={classes.courseMark} d="m246 92 13 22h-26z" />
      <path className={classes.friend} d={[frame(40, 152), frame(64, 166)].join('')} />
      <text x="104" y="116" textAnchor="middle" data-kind="course">
        PUSH
      </text>
      <text x="168" y="175" textAnchor="middle" data-kind="course">
        IP
      </text>
      <text x="196" y="72" textAnchor="end" data-kind="course">
        TOT 2215Z
      </text>
      <path className={classes.contour} d="M200 70l34 20" />
      <text x="262" y="78" textAnchor="middle" data-kind="red">
        SA-6
      </text>
    </Plan>
  );
}
