import { LinkButton } from '#client/components/link-button.tsx';
import { Mark } from '#client/components/marks.tsx';
import classes from './demo-strip.module.css';

/** Sticky banner on every demo page: sample data, nothing is saved. */
export function DemoStrip() {
  return (
    <aside className={classes.strip} aria-label="Demo Mode">
      <p className={classes.words}>
        <Mark shape="bar" size={18} />
        <span>
          <strong>Demo Mode</strong>: sample data, nothing is saved
        </span>
      </p>
      <LinkButton to="/register/account" size="xs" className={classes.register}>
        Register
      </LinkButton>
    </aside>
  );
}
