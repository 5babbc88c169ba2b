import classes from './sample-order.module.css';

const ROWS = [
  ['FRAG-007', 'Op Iron Hound'],
  ['FLT', 'Viper 1-2, F-16C'],
  ['ROLE', 'Strike, wing'],
  ['T/O', '1905Z 2005L'],
  ['TOT', '1930Z 2030L'],
  ['RADIO', '251.000 AM'],
] as const;

/** Sample of a frag order on a kneeboard card, on paper colours in both schemes. */
export function SampleOrder() {
  return (
    <figure className={classes.figure}>
      <div className={classes.card}>
        <span className={classes.clip} aria-hidden="true" />
        <dl className={classes.rows}>
          {ROWS.map(([name, value]) => (
            <div key={name} className={classes.row}>
              <dt className={classes.name}>{name}</dt>
              <dd className={classes.value}>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <figcaption className={classes.caption}>A sample frag order. L is your own time, here Europe/Berlin.</figcaption>
    </figure>
  );
}
