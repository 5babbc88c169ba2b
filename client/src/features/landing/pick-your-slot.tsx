import { Suspense } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { SampleOrder } from '#client/domain-ui/sample-order.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { Section } from './section.tsx';
import classes from './pick-your-slot.module.css';

/** Loaded lazily: the form is half of the page's script and below the fold. */
const RequestForm = lazyPart(
  () => import('./request-form.tsx'),
  (part) => part.RequestForm,
);

/** Section with the slot request form and a sample order. */
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
