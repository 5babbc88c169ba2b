import { NavDisplay } from '#client/components/nav-display.tsx';
import { Panel } from '#client/components/panel.tsx';
import { usePageHeading } from '#client/lib/page-focus.ts';
import classes from './landing-page.module.css';

const STEPS = [
  ['Register', 'An email, a call sign, a time zone. Four short steps.'],
  ['State availability', 'Say once a week when you can fly, and with which aircraft.'],
  ['Answer the frag', 'A frag order offers you a seat that fits. Accept, Standby or Decline.'],
  ['Step and fly', 'Brief, frequency and seat are on your board, in Zulu and in your own time.'],
] as const;

/** The public front page. */
export function LandingPage() {
  const heading = usePageHeading('Marshal: fly with a flight, not a lobby');
  return (
    <>
      <section className={classes.hero}>
        <div className={classes.words}>
          <h1 ref={heading} tabIndex={-1}>
            Fly with a flight, not a lobby.
          </h1>
          <p className={classes.lead}>
            Say when you can fly. Get a frag order. Step to the jet with 4–16 pilots, a plan and a controller on
            frequency.
          </p>
        </div>
        <div className={classes.display}>
          <NavDisplay />
        </div>
      </section>
      <section id="how-it-works" className={classes.steps} aria-labelledby="how-it-works-title">
        <h2 id="how-it-works-title">How it works</h2>
        <div className={classes.grid}>
          {STEPS.map(([title, text], index) => (
            <Panel key={title} title={`${index + 1} ${title}`} order={3}>
              {text}
            </Panel>
          ))}
        </div>
      </section>
    </>
  );
}
