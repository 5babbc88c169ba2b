import { Button } from '@mantine/core';
import type { RefObject } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { NavDisplay } from '#client/domain-ui/nav-display.tsx';
import { useViewer } from '#client/lib/session.ts';
import classes from './hero.module.css';

/** Hero section: headline, lead, the way to the registration for visitors, and two links to sections below. */
export function Hero({ heading }: { heading: RefObject<HTMLHeadingElement | null> }) {
  const viewer = useViewer();
  return (
    <section className={classes.hero} aria-labelledby="hero-title">
      <div className={classes.words}>
        <p className={classes.kind}>Missions for flight-sim communities</p>
        <h1 id="hero-title" ref={heading} tabIndex={-1} className={classes.title}>
          Fly with a flight, not a lobby.
        </h1>
        <p className={classes.lead}>
          Say when you can fly and Marshal finds your seat: groups of{' '}
          <span className={classes.together}>4–16 pilots</span>, weekly slots, and live ATC, AWACS and Strike
          controllers on frequency.
        </p>
        <div className={classes.ways}>
          {viewer === null && (
            <LinkButton to="/register/account" size="md">
              Create your account
            </LinkButton>
          )}
          <Button component="a" href="#pick-your-slot" size="md" variant={viewer === null ? 'default' : 'filled'}>
            Pick your slot
          </Button>
          <a href="#how-it-works" className={classes.how}>
            See how it works
          </a>
        </div>
      </div>
      <div className={classes.display}>
        <NavDisplay flown />
      </div>
    </section>
  );
}
