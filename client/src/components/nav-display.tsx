import classes from './nav-display.module.css';

/** Nautical miles of the rings and their radius in the drawing's units. */
const RINGS = [
  { miles: 20, radius: 140 },
  { miles: 40, radius: 250 },
  { miles: 60, radius: 360 },
] as const;

/** Own ship, at the rings' centre. */
const SHIP = { x: 300, y: 470 };

const ROUTE = [
  { name: 'PUSH 1912Z', x: 190, y: 350, label: 'right' },
  { name: 'IP 1924Z', x: 236, y: 176, label: 'right' },
  { name: 'TOT 1930Z', x: 410, y: 96, label: 'left' },
  { name: 'EGRESS', x: 500, y: 262, label: 'right' },
] as const;

/** Finger-four around own ship: dx, dy of each aircraft. */
const FLIGHT = [
  [0, -14],
  [-24, 8],
  [26, 6],
  [48, 26],
] as const;

const TICKS = Array.from({ length: 12 }, (_tick, index) => (index * Math.PI) / 6);

function polar(radius: number, angle: number): string {
  return `${(SHIP.x + radius * Math.sin(angle)).toFixed(1)} ${(SHIP.y - radius * Math.cos(angle)).toFixed(1)}`;
}

const LABEL_AT = {
  right: { dx: 18, dy: 5, anchor: 'start' },
  left: { dx: -16, dy: -18, anchor: 'middle' },
} as const;

/** A navigation display flying the magenta route. A picture: hidden from screen readers. */
export function NavDisplay() {
  const route = [SHIP, ...ROUTE, SHIP].map(({ x, y }) => `${x} ${y}`).join(' L');
  return (
    <svg
      className={classes.display}
      viewBox="0 0 600 600"

      aria-hidden="true"
      focusable="false"
    >
      <g className={classes.rings}>
        {RINGS.map(({ miles, radius }) => (
          <g key={miles}>
            <circle cx={SHIP.x} cy={SHIP.y} r={radius} />
            <text x={SHIP.x + 10} y={SHIP.y - radius - 8}>
              {miles}
            </text>
          </g>
        ))}
        {TICKS.map((angle) => (
          <path key={angle} d={`M${polar(360, angle)} L${polar(342, angle)}`} />
        ))}
      </g>
      <g className={classes.threat}>
        <circle cx="455" cy="110" r="88" />
        <path d="m455 96 14 14-14 14-14-14z" />
        <text x="478" y="140">
          SA-11
        </text>
      </g>
      <path className={classes.route} d={`M${route}`} />
      {ROUTE.map(({ name, x, y, label }) => {
        const at = LABEL_AT[label];
        return (
          <g key={name} className={classes.waypoint}>
            <path d={`M${x} ${y - 11}l11 11-11 11-11-11z`} />
            <text x={x + at.dx} y={y + at.dy} textAnchor={at.anchor}>
              {name}
            </text>
          </g>
        );
      })}
      <g className={classes.flight}>
        {FLIGHT.map(([dx, dy]) => (
          <rect key={dx} x={SHIP.x + dx - 9} y={SHIP.y + dy - 6} width="18" height="12" />
        ))}
        <text x={SHIP.x + 68} y={SHIP.y + 14}>
          VIPER 1
        </text>
      </g>
    </svg>
  );
}
