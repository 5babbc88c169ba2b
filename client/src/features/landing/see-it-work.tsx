import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconReload } from '@tabler/icons-react';
import { useEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { Mark } from '#client/components/marks.tsx';
import { SeatRoute } from './seat-route.tsx';
import { Section } from './section.tsx';
import classes from './see-it-work.module.css';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const FIRST_HOUR = 17;
const HOURS = [17, 18, 19, 20, 21, 22, 23] as const;

/** The two evenings that are painted: hours of the day, and when the stroke begins. */
const EVENINGS: Partial<Record<(typeof DAYS)[number], { from: number; to: number; delay: string; leads?: boolean }>> = {
  Tue: { from: 18, to: 22, delay: '0.3s' },
  Thu: { from: 19, to: 23, delay: '1.9s', leads: true },
};

/** The flight; the second seat is the reader's. */
const SEATS = ['Brakeline', null, 'Inari', 'Ostara'] as const;

/** Share of the drawing that has to be on the screen before it starts to move. */
const VISIBLE = 0.35;

const STEPS = [
  'You paint the evenings on which you can fly.',
  'Marshal matches every pilot and every seat at once, and sends an order.',
  'You accept, and the seat is yours: Viper 1-2.',
] as const;

type Phase = 'still' | 'playing' | 'paused';

const CONTROLS = {
  still: { label: 'Replay', Icon: IconReload },
  playing: { label: 'Pause', Icon: IconPlayerPause },
  paused: { label: 'Play', Icon: IconPlayerPlay },
} as const;

/**
 * Section that shows the product at work: two evenings are painted, and a route leads to a seat. It moves once when it comes
 * into view, and can be paused and replayed. Before, afterwards and with reduced motion it is the finished picture.
 */
export function SeeItWork() {
  const stage = useRef<HTMLDivElement>(null);
  const [phase, setPhase] = useState<Phase>('still');
  const [round, setRound] = useState(0);
  const play = (): void => {
    setRound((last) => last + 1);
    setPhase('playing');
  };
  useOnceVisible(stage, play);
  const { label, Icon } = CONTROLS[phase];
  return (
    <Section id="see-it-work" title="See it work" lead="From two free evenings to a seat in a flight.">
      <div ref={stage}>
        <div
          // a new element starts all animations again
          key={round}
          className={classes.stage}
          data-phase={phase}
          aria-hidden="true"
          onAnimationEnd={({ target }) => {
            if (target instanceof Element && target.matches('[data-last]')) setPhase('still');
          }}
        >
          <Week />
          <SeatRoute />
          <Flight />
        </div>
      </div>
      <div className={classes.below}>
        <ol className={classes.steps}>
          {STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <Button
          variant="default"
          className={classes.control}
          leftSection={<Icon size={18} aria-hidden="true" />}
          onClick={() => (phase === 'still' ? play() : setPhase(phase === 'playing' ? 'paused' : 'playing'))}
        >
          {label}
        </Button>
      </div>
    </Section>
  );
}

/** Calls back the first time that enough of the element is on the screen. */
function useOnceVisible(element: RefObject<HTMLElement | null>, onVisible: () => void): void {
  const callback = useRef(onVisible);
  useEffect(() => {
    if (element.current === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return;
        observer.disconnect();
        callback.current();
      },
      { threshold: VISIBLE },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
}

function Week() {
  return (
    <div className={classes.panel}>
      <div className={classes.plate}>
        Your week <span className={classes.zone}>Europe/Berlin</span>
      </div>
      <div className={classes.week}>
        <div className={classes.hours}>
          {HOURS.map((hour) => (
            <span key={hour}>{hour}L</span>
          ))}
        </div>
        {DAYS.map((day) => {
          const evening = EVENINGS[day];
          return (
            <div key={day} className={classes.day}>
              <span className={classes.dayName}>{day}</span>
              <div className={classes.column}>
                {evening !== undefined && (
                  <div
                    className={classes.evening}
                    style={
                      {
                        '--from': evening.from - FIRST_HOUR,
                        '--length': evening.to - evening.from,
                        '--delay': evening.delay,
                      } as CSSProperties
                    }
                  >
                    <div className={classes.slot}>
                      <span>{evening.from}00</span>
                      <span>{evening.to}00</span>
                    </div>
                    <svg className={classes.pointer} viewBox="0 0 16 16" width="16" height="16" focusable="false">
                      <path d="M2 1v13l3.5-3 2.5 4 2-1-2.5-4H13z" />
                    </svg>
                    {evening.leads === true && <span className={classes.lead} />}
                  </div>
                )}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Flight() {
  return (
    <div className={classes.panel}>
      <div className={classes.plate}>
        Viper 1 <span className={classes.zone}>F-16C</span>
      </div>
      <p className={classes.times}>
        Thu 1905Z 2005L <span>251.000</span>
      </p>
      <ul className={classes.seats}>
        {SEATS.map((pilot, index) => (
          <li key={pilot ?? 'you'} className={classes.seat} data-yours={pilot === null || undefined}>
            <span className={classes.mark}>
              <Mark shape="rectangle" filled size={16} />
            </span>
            <span className={classes.number}>1-{index + 1}</span>
            {pilot ?? (
              <>
                <strong className={classes.you}>You</strong>
                <span className={classes.yours} data-last>
                  your seat: Viper 1-2
                </span>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
