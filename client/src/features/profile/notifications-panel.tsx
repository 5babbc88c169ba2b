import { Stack } from '@mantine/core';
import { useState } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { NotificationChoicesDto } from '#shared/schemas/profile.ts';
import { profileCopy } from './profile-text.ts';
import { ReminderChoices } from './reminder-choices.tsx';
import { SaveRow } from './save-row.tsx';
import { useReportUnsaved } from './unsaved.ts';

interface ChoiceWords {
  name: Exclude<keyof NotificationChoicesDto, 'reminderMinutes'>;
  label: string;
  meaning: string;
}

const CHOICES: readonly ChoiceWords[] = [
  {
    name: 'notifyOrders',
    label: 'New frag orders',
    meaning: 'Seats that need your answer, and seats you get from standby.',
  },
  {
    name: 'notifyChanges',
    label: 'Changes to my seats',
    meaning: 'A mission you hold a seat in moves, changes or is cancelled.',
  },
  {
    name: 'wantsGlobalEvents',
    label: 'Open missions and community news',
    meaning: "News beyond your own orders, here and in Discord. It doesn't change which missions you're matched to.",
  },
];

/** Offered where the server sends email and the pilot has an address. */
const EMAIL_CHOICES: readonly ChoiceWords[] = [
  {
    name: 'emailOrders',
    label: 'Email about new frag orders',
    meaning: 'Seats that need your answer, and seats you get from standby.',
  },
  {
    name: 'emailChanges',
    label: 'Email about changes to my seats',
    meaning: 'A mission you hold a seat in moves, changes or is cancelled.',
  },
  {
    name: 'emailDigest',
    label: 'Weekly digest',
    meaning: 'An email on Sunday at 18:00 your time: your next 7 days, orders to answer and open seats.',
  },
];

/** Offered to admins beside the other email. */
const ADMIN_CHOICES: readonly ChoiceWords[] = [
  {
    name: 'emailRequests',
    label: 'Email about requests',
    meaning: 'Visitors who ask for a slot on the front page. At most one email an hour.',
  },
];

const keysOf = (choices: NotificationChoicesDto) => Object.keys(choices) as (keyof NotificationChoicesDto)[];

/** Panel of notification choices. */
export function NotificationsPanel() {
  const { id } = useSignedInViewer();
  const choices = trpc.pilot.notifications.useQuery({ id });
  const mail = trpc.pilot.mail.account.useQuery(undefined, { staleTime: 0 });
  return (
    <Panel anchor="notifications" title="Notify me about">
      <Loaded
        // the choices for email come with the others, so that nothing moves when they are known
        query={{ ...choices, data: mail.isPending ? undefined : choices.data }}
        loading={profileCopy.loadingNotifications}
        failure={profileCopy.notificationsLoadFailed}
        rows={16}
      >
        {(saved) => <ChoicesForm saved={saved} hasEmail={mail.data?.isOffered === true} />}
      </Loaded>
    </Panel>
  );
}

interface ChoicesFormProps {
  saved: NotificationChoicesDto;
  /** the server sends email, and the pilot has an address */
  hasEmail: boolean;
}

function ChoicesForm({ saved, hasEmail }: ChoicesFormProps) {
  const { id, roles } = useSignedInViewer();
  const trpcUtils = trpc.useUtils();
  /** unsaved changes only */
  const [draft, setDraft] = useState<Partial<NotificationChoicesDto>>({});
  const [error, setError] = useState<Told>(null);
  const [result, setResult] = useState<string | null>(null);
  const chosen = { ...saved, ...draft };
  const offered = [
    ...CHOICES,
    ...(hasEmail ? EMAIL_CHOICES : []),
    ...(hasEmail && roles.includes('admin') ? ADMIN_CHOICES : []),
  ];
  const changed = keysOf(saved).filter((name) => String(chosen[name]) !== String(saved[name]));
  const unsaved = changed.length;
  const change = (changes: Partial<NotificationChoicesDto>) => {
    setResult(null);
    setDraft({ ...draft, ...changes });
  };
  useReportUnsaved('Notify me about', unsaved > 0);
  const save = trpc.pilot.setNotifications.useMutation({
    onSuccess: (answer) => {
      trpcUtils.pilot.notifications.setData({ id }, answer);
      setDraft({});
      setResult(profileCopy.notificationsSaved);
      showToast(profileCopy.notificationsSaved);
    },
    onError: (cause) => setError(failureOf(cause, profileCopy.notificationsFailed)),
  });

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setError(null);
        // only what changed here: another page may have changed the others
        save.mutate({ id, ...Object.fromEntries(changed.map((name) => [name, chosen[name]])) });
      }}
    >
      <FormError message={error} />
      <Stack gap="sm">
        {offered.map(({ name, label, meaning }) => (
          <Choice
            key={name}
            label={label}
            meaning={meaning}
            checked={chosen[name]}
            onChange={(checked) => change({ [name]: checked })}
          />
        ))}
        <ReminderChoices chosen={chosen} hasEmail={hasEmail} onChange={change} />
      </Stack>
      <SaveRow
        label="Save Notifications"
        isSaving={save.isPending}
        isDirty={unsaved > 0}
        unsaved={unsaved}
        result={result}
      />
    </form>
  );
}
