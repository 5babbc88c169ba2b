import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Checkbox.css';
import { Checkbox } from '@mantine/core';
import { Choice } from '#client/components/choice.tsx';
import { leadWords, REMINDERS } from '#shared/reminders.ts';
import type { NotificationChoicesDto } from '#shared/schemas/profile.ts';
import classes from './reminder-choices.module.css';

type Reminders = Pick<NotificationChoicesDto, 'reminderMinutes' | 'remindByDiscord' | 'remindByPush' | 'remindByEmail'>;

const CHANNELS = [
  { name: 'remindByDiscord', label: 'Reminders in Discord', meaning: 'A direct message, if your account is linked.' },
  { name: 'remindByPush', label: 'Reminders on my devices', meaning: 'A notification on each device below.' },
  { name: 'remindByEmail', label: 'Reminders by email', meaning: 'To the address of your account.' },
] as const;

interface ReminderChoicesProps {
  chosen: Reminders;
  /** the server sends email, and the pilot has an address */
  hasEmail: boolean;
  onChange: (change: Partial<Reminders>) => void;
}

/** When, and by which channels, a pilot is reminded of missions. */
export function ReminderChoices({ chosen, hasEmail, onChange }: ReminderChoicesProps) {
  const { reminderMinutes } = chosen;
  const isFull = reminderMinutes.length >= REMINDERS.max;
  const channels = CHANNELS.filter(({ name }) => hasEmail || name !== 'remindByEmail');
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Remind me of missions I have a seat in</legend>
      <p className={classes.meaning}>
        Choose up to {REMINDERS.max} times before the start, or none. Reminders arrive even while your status is Do Not
        Disturb. The one 24 hours before asks if you&apos;re still flying.
      </p>
      <div className={classes.leads}>
        {REMINDERS.minutes.map((minutes) => {
          const isChosen = reminderMinutes.includes(minutes);
          return (
            <Checkbox
              key={minutes}
              className={classes.lead}
              label={leadWords(minutes)}
              checked={isChosen}
              disabled={isFull && !isChosen}
              color="cyan"
              size="md"
              onChange={({ currentTarget }) =>
                onChange({
                  reminderMinutes: REMINDERS.minutes.filter((one) =>
                    one === minutes ? currentTarget.checked : reminderMinutes.includes(one),
                  ),
                })
              }
            />
          );
        })}
      </div>
      {reminderMinutes.length > 0 &&
        channels.map(({ name, label, meaning }) => (
          <Choice
            key={name}
            label={label}
            meaning={meaning}
            checked={chosen[name]}
            onChange={(checked) => onChange({ [name]: checked })}
          />
        ))}
    </fieldset>
  );
}
