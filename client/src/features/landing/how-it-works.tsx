import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Section } from './section.tsx';
import classes from './how-it-works.module.css';

const STEPS: readonly (readonly [title: string, text: ReactNode])[] = [
  [
    'Register',
    <>
      An email, a call sign, a time zone: four short steps. <Link to="/register/account">Register here</Link>
    </>,
  ],
  [
    'State availability',
    'Set your week once: days, hours, and the aircraft you would fly. Change it whenever you like.',
  ],
  ['Answer the frag order', 'A frag order offers you a seat that fits and says why. Accept, Standby or Decline.'],
  ['Step and fly', 'Your board shows flight, frequency, launch and time on target, in Zulu and in your own time.'],
];

/** Section with the four steps from registration to flying, drawn as a route. */
export function HowItWorks() {
  return (
    <Section id="how-it-works" title="How it works" lead="Four legs from here to the jet.">
      <ol className={classes.route}>
        {STEPS.map(([title, text], index) => (
          <li key={title} className={classes.leg}>
            <svg className={classes.waypoint} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
              <path d="m12 2 10 10-10 10L2 12z" />
            </svg>
            <h3 className={classes.title}>
              {index + 1}. {title}
            </h3>
            <p className={classes.text}>{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
