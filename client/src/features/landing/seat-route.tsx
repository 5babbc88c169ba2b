import classes from './seat-route.module.css';

const WAYPOINTS = ['Matched', 'FRAG-007', 'Accepted'] as const;

/** Routes from the painted evening to the seat, beside each other on wide screens, otherwise below each other. */
const ROUTES = {
  wide: { box: '0 0 300 280', legs: 'M0 183H44L96 100 196 76 252 147H300', at: ['96 100', '196 76', '252 147'] },
  tall: { box: '0 0 300 170', legs: 'M200 0V16L150 48 76 88 120 130V170', at: ['150 48', '76 88', '120 130'] },
} as const;

/** The magenta route from a painted evening to a seat. It draws itself inside an element whose `data-phase` is not `still`. */
export function SeatRoute() {
  return (
    <div className={classes.route}>
      {(['wide', 'tall'] as const).map((form) => {
        const { box, legs, at } = ROUTES[form];
        return (
          <svg key={form} className={classes.drawing} data-form={form} viewBox={box} focusable="false">
            {form === 'wide' && (
              <path className={classes.rings} d="M30 280a120 120 0 0 1 240 0M-50 280a200 200 0 0 1 400 0" />
            )}
            <path className={classes.legs} d={legs} pathLength={100} />
            {at.map((place) => (
              <path key={place} className={classes.waypoint} d={`M${place}m0-10 10 10-10 10-10-10z`} />
            ))}
          </svg>
        );
      })}
      {WAYPOINTS.map((name) => (
        <span key={name} className={classes.name}>
          {name}
        </span>
      ))}
    </div>
  );
}
