import { Link } from '@tanstack/react-router';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Section } from './section.tsx';
import classes from './faq.module.css';

const QUESTIONS: readonly (readonly [question: string, answer: ReactNode])[] = [
  [
    'What if I cannot make my slot?',
    "Give 24 hours notice and you are re-slotted in the next rotation. Decline the order or cancel your seat in Marshal: the seat is offered to another pilot at once, and giving it back in time doesn't count against you.",
  ],
  [
    'Do I need voice comms?',
    'Yes. Voice comms are required, over a chat service such as Discord. Your order names the flight and its radio frequency; your community names the channel.',
  ],
  [
    'How does Marshal decide who flies?',
    'All seats of a mission are matched at once to all pilots who are free for its whole length in that aircraft. Experienced pilots lead, and pilots who went without a seat come first next time. Your order says why you were chosen.',
  ],
  [
    'What happens when nobody answers an order?',
    'It expires after a quarter of the time left until the mission, and after 48 hours at the latest. The next best pilot then gets the offer; nobody has to ask around.',
  ],
  [
    'Which time zone are the times in?',
    'Both: Zulu and your own, side by side, as in 1905Z 2005L. Your weekly availability stays at the same time on your clock when daylight saving begins or ends.',
  ],
  [
    'Can I look around before I register?',
    <>
      Yes. <Link to="/demo">The demo</Link> is a pilot’s home page with sample data, and nothing you do there is saved.
      When you want orders of your own, <Link to="/register/account">register</Link>: requesting a slot here does not
      create an account.
    </>,
  ],
];

/** FAQ section with native disclosure elements. */
export function Faq() {
  return (
    <Section id="faq" title="FAQ" lead="What pilots ask before the first mission.">
      <div className={classes.list}>
        {QUESTIONS.map(([question, answer]) => (
          <details key={question} className={classes.item}>
            <summary className={classes.question}>
              <h3 className={classes.words}>{question}</h3>
              <IconChevronDown size={20} aria-hidden="true" />
            </summary>
            <p className={classes.answer}>{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  );
}
