import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Mark } from '#client/components/marks.tsx';
import { ZuluClock } from '#client/domain-ui/zulu-clock.tsx';
import classes from './landing-footer.module.css';

/** Footer: name, clock, colour scheme, link to the demo. */
export function LandingFooter() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <p className={classes.name}>
          <Mark shape="diamond" size={18} />
          MARSHAL
        </p>
        <p className={classes.line}>Where flights gather before the push.</p>
        <div className={classes.tools}>
          <ZuluClock />
          <button
            type="button"
            className={classes.scheme}
            onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
          >
            {scheme === 'dark' ? 'Day colours' : 'Night colours'}
          </button>
          <Link to="/demo" className={classes.link}>
            Try the demo
          </Link>
        </div>
      </div>
    </footer>
  );
}
