import { lazy, Suspense } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { SampleOrder } from './sample-order.tsx';
import { Section } from './section.tsx';
import classes from './pick-your-slot.module.css';

/** Inputs and form state are half of this page's script, and nobody sees them first. */
const RequestForm = lazy(async () => {
  const { RequestForm: component } = await import('./request-form.tsx');
  return { default: component };
});

/** Ask for a weekly slot, beside what comes of it. */
export function PickYourSlot() {
  return (
    <Section
      id="pick-your-slot"
      title="Pick Your Slot"
      lead="Tell us what you fly and which evening suits you. Fields with * are needed."
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
