import type { ReactNode } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { ControllersArt, FragArt, GroupsArt, MatchArt, StoplightArt, WeekArt } from './feature-art.tsx';
import { Section } from './section.tsx';
import classes from './features.module.css';

interface Feature {
  title: string;
  text: string;
  art: ReactNode;
}

const FEATURES: readonly Feature[] = [
  {
    title: 'Skill-based matchmaking',
    text: 'Experienced pilots lead, rookies fly wing. Every seat is matched to every free pilot at once.',
    art: <MatchArt />,
  },
  {
    title: 'Groups of 4–16 pilots',
    text: 'One four-ship or a whole package: enough for a plan, few enough that every seat counts.',
    art: <GroupsArt />,
  },
  {
    title: 'Weekly slots',
    text: 'Enter the times you can fly once, in your own time zone. Daylight saving is our problem.',
    art: <WeekArt />,
  },
  {
    title: 'Live ATC, AWACS and Strike controllers',
    text: 'People on frequency: one clears you out, one calls the picture, one checks you in on target.',
    art: <ControllersArt />,
  },
  {
    title: 'Status stoplight',
    text: 'Idle, Do Not Disturb or Find Flight. One tap tells ops whether you are up for it right now.',
    art: <StoplightArt />,
  },
  {
    title: 'Frag orders with backfill',
    text: 'Accept, Standby or Decline. A freed seat is offered to the next best pilot automatically.',
    art: <FragArt />,
  },
];

/** The first features are panels over half of the width, the others plain columns. */
const LARGE = 2;

/** Section with six feature cards. */
export function Features() {
  return (
    <Section id="features" title="Features" lead="A seat that fits, a plan you can read, a voice on frequency.">
      <div className={classes.grid}>
        {FEATURES.slice(0, LARGE).map(({ title, text, art }) => (
          <Panel key={title} title={title} order={3} className={classes.large}>
            {art}
            <p className={classes.text}>{text}</p>
          </Panel>
        ))}
        {FEATURES.slice(LARGE).map(({ title, text, art }) => (
          <article key={title} className={classes.small}>
            <h3 className={classes.title}>{title}</h3>
            {art}
            <p className={classes.text}>{text}</p>
          </article>
        ))}
      </div>
    </Section>
  );
}
