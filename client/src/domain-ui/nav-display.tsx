import classes from './nav-display.module.css';

/** Position of our own aircraft, the centre of the rings. */
const SHIP = { x: 320, y: 470 };

/** Range rings: nautical miles, radius in SVG units, degrees drawn to either side, bearing of the number. */
const RINGS = [
  { miles: 20, radius: 130, half: 180, label: 72 },
  { miles: 40, radius: 260, half: 88, label: 74 },
  { miles: 60, radius: 390, half: 52, label: 47.5 },
] as const;

const COMPASS = { radius: 390, half: 50, stepDegrees: 5 } as const;
const HEADINGS = [
  [-30, '33'],
  [0, 'N'],
  [30, '03'],
] as const;

/** Waypoints. Their labels stay clear of the legs and inside the drawing at the largest font size (see the style sheet). */
const ROUTE = [
  { name: 'PUSH 1912Z', x: 214, y: 372, dx: -18, dy: 0, anchor: 'end' },
  { name: 'IP 1924Z', x: 232, y: 240, dx: -20, dy: 0, anchor: 'end' },
  { name: 'TOT 1930Z', x: 330, y: 154, dx: 24, dy: -30, anchor: 'end' },
  { name: 'EGRESS', x: 490, y: 330, dx: 20, dy: 0, anchor: 'start' },
] as const;

/** Threat ring; the route passes around it. */
const THREAT = { x: 462, y: 186, radius: 60 };

/** Finger-four formation: offset of each aircraft from the lead. */
const FLIGHT = [
  [0, 0],
  [-34, 24],
  [34, 22],
  [68, 46],
] as const;

function at(radius: number, degrees: number): string {
  const angle = (degrees * Math.PI) / 180;
  return `${(SHIP.x + radius * Math.sin(angle)).toFixed(1)} ${(SHIP.y - radius * Math.cos(angle)).toFixed(1)}`;
}

function arc(radius: number, half: number): string {
  if (half === 180) {
    return `M${at(radius, 0)}A${radius} ${radius} 0 0 1 ${at(radius, 180)}A${radius} ${radius} 0 0 1 ${at(radius, 0)}`;
  }
  return `M${at(radius, -half)}A${radius} ${radius} 0 0 1 ${at(radius, half)}`;
}

const TICKS = Array.from({ length: (2 * COMPASS.half) / COMPASS.stepDegrees + 1 }, (_tick, index) => {
  const bearing = index * COMPASS.stepDegrees - COMPASS.half;
  return `M${at(COMPASS.radius, bearing)}L${at(COMPASS.radius - (bearing % 10 === 0 ? 18 : 9), bearing)}`;
}).join('');

/** Route from the lead's nose; HOME_LEG is the dashed leg back. */
const LEGS = `M${SHIP.x} ${SHIP.y - 12}L${ROUTE.map(({ x, y }) => `${x} ${y}`).join('L')}`;
const HOME_LEG = `M490 330L${SHIP.x + 20} ${SHIP.y - 12}`;

/**
 * Decorative navigation display (arc mode, heading north): range rings, a threat ring, and a four-ship on the magenta route.
 * Hidden from screen readers.
 * @param flown animates a light along the route once, in under five seconds, so that no pause control is needed
 */
export function NavDisplay({ flown = false }: { flown?: boolean }) {
  return (
    <div className={classes.frame} aria-hidden="true">
      <svg className={classes.display} viewBox="0 30 640 574" focusable="false">
        <g className={classes.rings}>
          {RINGS.map(({ miles, radius, half }) => (
            <path key={miles} d={arc(radius, half)} />
          ))}
          <path d={TICKS} />
          <path className={classes.lubber} d={`M${SHIP.x} 78l-8-15h16z`} />
        </g>
        <g className={classes.threat}>
          <circle cx={THREAT.x} cy={THREAT.y} r={THREAT.radius} />
          <path d={`M${THREAT.x} ${THREAT.y - 32}l13 13-13 13-13-13z`} />
        </g>
        <path className={classes.homeLeg} d={HOME_LEG} />
        <path className={classes.route} d={LEGS} />
        {flown && <path className={classes.light} d={LEGS} pathLength={100} />}
        {ROUTE.map(({ name, x, y }) => (
          <path key={name} className={classes.waypoint} d={`M${x} ${y - 12}l12 12-12 12-12-12z`} />
        ))}
        <g className={classes.flight}>
          {FLIGHT.map(([dx, dy]) => (
            <path key={dx} d={`M${SHIP.x + dx - 11} ${SHIP.y + dy + 8}v-15h22v15`} />
          ))}
        </g>
        <g className={classes.labels}>
          {RINGS.map(({ miles, radius, label }) => {
            const [x, y] = at(radius, label).split(' ');
            return (
              <text key={miles} x={x} y={y} dy=".35em" textAnchor="middle" data-kind="ring">
                {miles}
              </text>
            );
          })}
          {HEADINGS.map(([bearing, text]) => {
            const [x, y] = at(COMPASS.radius + (bearing === 0 ? 32 : 22), bearing).split(' ');
            return (
              <text key={text} x={x} y={y} dy=".35em" textAnchor="middle" data-kind="ring">
                {text}
              </text>
            );
          })}
          {ROUTE.map(({ name, x, y, dx, dy, anchor }) => (
            <text key={name} x={x + dx} y={y + dy} dy=".35em" textAnchor={anchor} data-kind="route">
              {name}
            </text>
          ))}
          <text x={THREAT.x} y={THREAT.y + 18} dy=".35em" textAnchor="middle" data-kind="threat">
            SA-11
          </text>
          <text x={SHIP.x + 90} y={SHIP.y + 46} dy=".35em" data-kind="flight">
            VIPER 1
          </text>
        </g>
      </svg>
    </div>
  );
}
