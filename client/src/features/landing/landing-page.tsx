import { usePageHeading } from '#client/lib/page-focus.ts';
import { Faq } from './faq.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { LandingFooter } from './landing-footer.tsx';
import { PickYourSlot } from './pick-your-slot.tsx';
import { Scenarios } from './scenarios.tsx';
import { SeeItWork } from './see-it-work.tsx';
import { Testimonials } from './testimonials.tsx';

/** The public front page. */
export function LandingPage() {
  const heading = usePageHeading('Marshal: fly with a flight, not a lobby');
  return (
    <>
      <Hero heading={heading} />
      <SeeItWork />
      <Features />
      <Scenarios />
      <HowItWorks />
      <PickYourSlot />
      <Testimonials />
      <Faq />
      <LandingFooter />
    </>
  );
}
