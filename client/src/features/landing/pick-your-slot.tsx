import { Suspense } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { SampleOrder } from './sample-order.tsx';
import { Section } from './section.tsx';
import classes from './pick-your-slot.module.css';

/** Inputs and form state are half of this page's script, and nobody sees them first. */
const RequestForm = lazyPart(
  () => import('./request-form.tsx'),
  (part) => part.RequestForm,
);

/** Ask for a weekly slot, beside what comes of it. */
export function PickYourSlot() {
  return (
    <Section
      id="pick-your-slot"
      title="Pick Your Slot"
      lead="Tell us what you fly and which evening suits you. Fields marked * are required."
    >
      <div className={classes.split}>
        <Panel className={classes.form}>
          <Suspense fallback={<div className={classes.room} />}>
            <RequestForm />
          </Suspense>
        </Panel>
        <SampleOrder />
      </div>
    </Section>
  );
}
