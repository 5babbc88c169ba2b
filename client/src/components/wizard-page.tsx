import type { ReactNode } from 'react';
import { PageHeader } from './page-header.tsx';
import { RouteStepper } from './route-stepper.tsx';
import { WIZARD_STEPS } from '#client/lib/screen-text.ts';
import classes from './wizard-page.module.css';

interface WizardPageProps {
  /** index into WIZARD_STEPS */
  step: 0 | 1 | 2 | 3;
  title: string;
  lead: string;
  /** wider layout, for the weekly availability */
  wide?: boolean;
  children: ReactNode;
}

/** Page of the registration wizard: progress, heading, form. */
export function WizardPage({ step, title, lead, wide = false, children }: WizardPageProps) {
  return (
    <div className={classes.wizard} data-wide={wide || undefined}>
      <RouteStepper label="Registration progress" steps={WIZARD_STEPS} current={step} />
      <PageHeader title={title} documentTitle={`${WIZARD_STEPS[step]}: ${title}`} lead={lead} />
      {children}
    </div>
  );
}

/** Button row of the wizard: Back on the left, the next step on the right. */
export function WizardButtons({ children }: { children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>;
}
