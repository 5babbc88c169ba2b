import { Mark } from '#client/components/marks.tsx';
import { Section } from './section.tsx';
import classes from './testimonials.module.css';

/** Quotes of pilots from the sample community. */
const VOICES = [
  {
    quote:
      'I set my week once. Since then orders simply arrive, for evenings I can fly and in a jet I can fight. I have not refreshed a server list since.',
    callSign: 'Brakeline',
    airframe: 'F-16C',
  },
  {
    quote:
      'My first night I flew four in a four-ship, with an instructor in front and AWACS talking me through. Nobody left me at the merge.',
    callSign: 'Paper Lantern',
    airframe: 'Mirage 2000C',
  },
  {
    quote:
      'A pilot dropped out the day before. By the time I opened the board the seat was filled and the package was whole again.',
    callSign: 'Ostara',
    airframe: 'F-14B',
  },
] as const;

/** Section with three testimonials. */
export function Testimonials() {
  return (
    <Section id="testimonials" title="Heard on frequency" lead="Three voices from the sample community.">
      <div className={classes.grid}>
        {VOICES.map(({ quote, callSign, airframe }) => (
          <figure key={callSign} className={classes.voice}>
            <blockquote className={classes.quote}>“{quote}”</blockquote>
            <figcaption className={classes.who}>
              <span className={classes.mark}>
                <Mark shape="rectangle" size={18} />
              </span>
              <span className={classes.callSign}>{callSign}</span>
              <span className={classes.airframe}>{airframe}</span>
            </figcaption>
          </figure>
        ))}
      </div>
    </Section>
  );
}
