import { sideName } from '#shared/labels.ts';
import { SIDES, type Side } from '#shared/vocabulary.ts';
import { Mark } from '#client/components/marks.tsx';
import classes from './side-flag.module.css';

/** Side of a flight: blue rectangle or red diamond, always with the word. */
export function SideFlag({ side }: { side: Side }) {
  const isBlue = side === SIDES.blue;
  return (
    <span className={classes.flag} data-side={isBlue ? 'blue' : 'red'}>
      <Mark shape={isBlue ? 'rectangle' : 'diamond'} size={18} />
      {sideName(side)}
    </span>
  );
}
