import type { ReactNode } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { Placard } from '#client/components/placard.tsx';
import { CaptureTheFlagPlan, NightStrikePlan, TrainingPlan } from './scenario-plans.tsx';
import { Section } from './section.tsx';
import classes from './scenarios.module.css';

interface Scenario {
  title: string;
  text: string;
  plan: ReactNode;
  facts: readonly (readonly [name: string, value: string])[];
}

const SCENARIOS: readonly Scenario[] = [
  {
    title: '4-ship training',
    text: 'Formation, racetrack, intercepts on a friendly target. Mistakes are the point; an instructor leads.',
    plan: <TrainingPlan />,
    facts: [
      ['Pilots', '4'],
      ['Roles', 'Training, CAP'],
      ['On frequency', 'ATC'],
    ],
  },
  {
    title: '8v8 capture the flag',
    text: 'Two bases, two flags, sixteen pilots. Blue against Red, and the controllers keep the score honest.',
    plan: <CaptureTheFlagPlan />,
    facts: [
      ['Pilots', '8 Blue, 8 Red'],
      ['Roles', 'CAP, Intercept'],
      ['On frequency', 'AWACS for each side'],
    ],
  },
  {
    title: 'Strike night ops',
    text: 'Low in under the moon, one time on target, and SEAD to hold the ring open while you are in it.',
    plan: <NightStrikePlan />,
    facts: [
      ['Pilots', '8 to 12'],
      ['Roles', 'Strike, SEAD, Tanker'],
      ['On frequency', 'Strike, AWACS'],
    ],
  },
];

/** Section with three scenario cards. */
export function Scenarios() {
  return (
    <Section
      id="scenarios"
      title="Scenarios"
      lead="Three evenings that communities fly. Build your own from any aircraft."
    >
      <div className={classes.grid}>
        {SCENARIOS.map(({ title, text, plan, facts }) => (
          <Panel key={title} title={title} order={3} flush className={classes.card}>
            {plan}
            <div className={classes.body}>
              <p className={classes.text}>{text}</p>
              <dl className={classes.facts}>
                {facts.map(([name, value]) => (
                  <div key={name} className={classes.fact}>
                    <dt>
                      <Placard>{name}</Placard>
                    </dt>
                    <dd className={classes.value}>{value}</dd>
                  </div>
                ))}
              </dl>
            </div>
          </Panel>
        ))}
      </div>
    </Section>
  );
}
