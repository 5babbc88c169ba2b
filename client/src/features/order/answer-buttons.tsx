import { Button } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { fragLabel } from '#shared/labels.ts';
import { answersTo } from '#shared/order-answers.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { WaitingAnswer } from './kept-answer.tsx';
import classes from './answer-buttons.module.css';

const BUTTONS: Record<RsvpResponse, { label: string; key: string }> = {
  accepted: { label: 'Accept', key: 'A' },
  standby: { label: 'Standby', key: 'S' },
  declined: { label: 'Decline', key: 'D' },
};
const ANSWERS = answersTo('pending').map((response) => ({ response, ...BUTTONS[response] }));

/** The answer of a shortcut key for the focused order; undefined for other keys. */
export function answerOfKey(event: KeyboardEvent): RsvpResponse | undefined {
  return event.ctrlKey || event.metaKey || event.altKey || event.repeat
    ? undefined
    : ANSWERS.find(({ key }) => key === event.key.toUpperCase())?.response;
}

interface AnswerButtonsProps {
  order: FragOrderDto;
  /** an answer is being sent: the buttons are disabled */
  busy: boolean;
  onAnswer: (response: RsvpResponse) => void;
}

/** Buttons to accept, stand by or decline. */
export function AnswerButtons({ order, busy, onAnswer }: AnswerButtonsProps) {
  return (
    <>
      <WaitingAnswer orderId={order.id} />
      <div className={classes.answers} role="group" aria-label={`Answer ${fragLabel(order.seq)}`}>
        {ANSWERS.map(({ response, label, key }) => (
          <OrderButton
            key={response}
            className={classes.answer}
            signal={response === 'accepted' ? 'green' : undefined}
            shortcut={key}
            busy={busy}
            onClick={() => onAnswer(response)}
          >
            {label}
            <kbd className={classes.key} aria-hidden="true">
              {key}
            </kbd>
          </OrderButton>
        ))}
      </div>
    </>
  );
}

interface OrderButtonProps {
  /** fill colour; plain without one */
  signal?: 'green' | undefined;
  shortcut?: string;
  /** accessible name, if the text alone is not enough; begins with the text */
  label?: string;
  disabled?: boolean;
  busy: boolean;
  className?: string | undefined;
  onClick: () => void;
  children: ReactNode;
}

/** A button of an order, 44 px high. While an answer is being sent it looks disabled but keeps the focus. */
export function OrderButton({
  signal,
  shortcut,
  label,
  disabled,
  busy,
  className,
  onClick,
  children,
}: OrderButtonProps) {
  return (
    <Button
      variant={signal === undefined ? 'default' : 'filled'}
      color={signal}
      className={className === undefined ? classes.button : `${classes.button} ${className}`}
      disabled={disabled}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-disabled={busy || undefined}
      data-disabled={busy || undefined}
      onClick={() => {
        if (!busy) {
          onClick();
        }
      }}
    >
      {children}
    </Button>
  );
}
