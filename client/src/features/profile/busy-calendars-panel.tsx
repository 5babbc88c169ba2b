import { Button, Group, TextInput } from '@mantine/core';
import { IconCalendarX, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { showFailure } from '#client/lib/failure.ts';
import { useServerForm } from '#client/lib/server-form.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { CALENDAR_PROBLEM_TEXTS } from '#shared/calendar-problems.ts';
import { BUSY_CALENDARS, OWNED_MAX } from '#shared/limits.ts';
import { count } from '#shared/plural.ts';
import { busyCalendarForm, type BusyCalendarDto } from '#shared/schemas/busy-calendars.ts';
import classes from './busy-calendars-panel.module.css';
import rowClasses from './owned-rows.module.css';

const busyCopy = {
  loading: 'Loading your busy calendars...',
  loadFailed: 'Failed to load your busy calendars',
  addFailed: 'Failed to add the calendar',
  readFailed: 'Failed to read the calendar',
  removeFailed: 'Failed to remove the calendar',
  removed: 'Calendar removed',
} as const;

/** The name of a calendar, or else its address. */
const titleOf = ({ name, address }: BusyCalendarDto): string => name ?? address;

/** Panel of the pilot's calendars elsewhere, whose busy times take away from the weekly ones. */
export function BusyCalendarsPanel() {
  const calendars = trpc.availability.calendars.list.useQuery();
  return (
    <Panel anchor="busy-calendars" title="Busy calendars" flush>
      <p className={rowClasses.text}>
        When your own calendar says you are busy, Marshal does not count you as available. It reads the calendar about
        every {BUSY_CALENDARS.refreshMinutes} minutes and keeps only the times,{' '}
        <strong>never what they are about</strong>. Your <Link to="/availability">weekly times</Link> stay as they are.
      </p>
      <Loaded query={calendars} loading={busyCopy.loading} failure={busyCopy.loadFailed} rows={2}>
        {(rows) => <Calendars rows={rows} />}
      </Loaded>
    </Panel>
  );
}

/** Reads again what depends on the calendars. */
function useRefetch() {
  const utils = trpc.useUtils();
  return () => Promise.all([utils.availability.calendars.invalidate(), utils.availability.window.invalidate()]);
}

function Calendars({ rows }: { rows: readonly BusyCalendarDto[] }) {
  const refetch = useRefetch();
  const list = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<BusyCalendarDto | null>(null);
  const remove = trpc.availability.calendars.remove.useMutation({
    onSuccess: () => showToast(busyCopy.removed),
    onError: (cause) => showFailure(cause, busyCopy.removeFailed),
    onSettled: async () => {
      setAsked(null);
      await refetch();
      // the clicked button has disappeared with its calendar
      list.current?.focus();
    },
  });
  const close = (): void => {
    setAdding(false);
    // the button is in the page after this render
    requestAnimationFrame(() => opener.current?.focus());
  };
  const isFull = rows.length >= OWNED_MAX.busyCalendars;

  return (
    <>
      <div ref={list} tabIndex={-1}>
        {rows.length === 0 ? (
          <p className={rowClasses.none}>No calendars yet.</p>
        ) : (
          <ul className={rowClasses.list} aria-label="Your busy calendars">
            {rows.map((calendar) => (
              <CalendarRow key={calendar.id} calendar={calendar} onRemove={() => setAsked(calendar)} />
            ))}
          </ul>
        )}
      </div>
      <div className={rowClasses.foot}>
        {isAdding ? (
          <AddForm onDone={close} />
        ) : (
          <Button
            ref={opener}
            variant="default"
            leftSection={<IconPlus size={18} aria-hidden="true" />}
            disabled={isFull}
            onClick={() => setAdding(true)}
          >
            Add calendar
          </Button>
        )}
        {isFull && <p className={classes.note}>{OWNED_MAX.busyCalendars} calendars is the limit. Remove one first.</p>}
        <WhereAddressesAre />
      </div>
      <ConfirmModal
        opened={asked !== null}
        title={`Remove “${asked ? titleOf(asked) : ''}”?`}
        confirmLabel="Remove"
        signal="red"
        busy={remove.isPending}
        onConfirm={() => asked && remove.mutate({ calendarId: asked.id })}
        onClose={() => setAsked(null)}
      >
        Its busy times stop counting, so you may be asked to fly at them. To add it again, you need its secret address.
      </ConfirmModal>
    </>
  );
}

function CalendarRow({ calendar, onRemove }: { calendar: BusyCalendarDto; onRemove: () => void }) {
  const refetch = useRefetch();
  const read = trpc.availability.calendars.refresh.useMutation({
    onSuccess: ({ problem }) => {
      if (problem === null) showToast(`${titleOf(calendar)}: read just now`);
    },
    onError: (cause) => showFailure(cause, busyCopy.readFailed),
    onSettled: refetch,
  });
  const { name, address, countsWholeDays, events, unread, readAt, problem, failingSince, isFailing } = calendar;
  return (
    <li className={rowClasses.row}>
      <IconCalendarX size={20} aria-hidden="true" />
      <span className={rowClasses.name}>
        <strong>{titleOf(calendar)}</strong>
        {isFailing && <Badge signal="red">Out of date</Badge>}
      </span>
      <div className={rowClasses.facts}>
        {name !== null && <span className={classes.address}>{address}</span>}
        <span>
          {count(events, 'busy time')} in the next {BUSY_CALENDARS.daysAhead} days
          {!countsWholeDays && ', without whole days'}
        </span>
        {readAt !== null && (
          <span>
            Last read <ZTime iso={readAt} withDate copyable={false} />
          </span>
        )}
        {unread > 0 && <span>{count(unread, 'event')} could not be read and don’t count.</span>}
      </div>
      {problem !== null && failingSince !== null && (
        <p className={classes.problem} data-failing={isFailing || undefined} role="status">
          {isFailing ? (
            <>
              Not read since <ZTime iso={failingSince} withDate copyable={false} />: the times from before still
              count.{' '}
            </>
          ) : (
            'The last try failed, and Marshal will try again. '
          )}
          {CALENDAR_PROBLEM_TEXTS[problem]}
        </p>
      )}
      <Group gap="xs" className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          disabled={read.isPending}
          aria-label={`Read ${titleOf(calendar)} now`}
          onClick={() => read.mutate({ calendarId: calendar.id })}
        >
          {read.isPending ? 'Reading...' : 'Read now'}
        </Button>
        <Button variant="default" size="xs" aria-label={`Remove ${titleOf(calendar)}`} onClick={onRemove}>
          Remove
        </Button>
      </Group>
    </li>
  );
}

const EMPTY = { url: '', name: '', countsWholeDays: true };

function AddForm({ onDone }: { onDone: () => void }) {
  const refetch = useRefetch();
  const form = useServerForm({
    schema: busyCalendarForm,
    mode: 'controlled',
    initialValues: EMPTY,
    failure: busyCopy.addFailed,
  });
  const add = trpc.availability.calendars.add.useMutation({
    onSuccess: async (calendar) => {
      showToast(`${titleOf(calendar)} added: ${count(calendar.events, 'busy time')}`);
      await refetch();
      onDone();
    },
    onError: form.refuse,
  });
  return (
    <form
      noValidate
      className={classes.form}
      aria-label="Add a busy calendar"
      onSubmit={form.submit((input) => add.mutate(input))}
    >
      <FormError message={form.refusal} />
      <TextInput
        label="Secret address"
        description="It usually ends in .ics. It is stored encrypted and never shown again."
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        maxLength={BUSY_CALENDARS.urlLength}
        {...form.getInputProps('url')}
      />
      <TextInput
        label="Name (optional)"
        autoComplete="off"
        maxLength={BUSY_CALENDARS.nameLength}
        {...form.getInputProps('name')}
      />
      <Choice
        label="Whole days count as busy"
        meaning="Turn it off for a calendar of birthdays, holidays or notes. Days marked as free never count."
        checked={form.values.countsWholeDays}
        onChange={(isOn) => form.setFieldValue('countsWholeDays', isOn)}
      />
      <Group gap="sm">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" disabled={add.isPending}>
          {add.isPending ? 'Reading the calendar...' : 'Add calendar'}
        </Button>
      </Group>
    </form>
  );
}

/** Where calendar programs show the secret address of a calendar. */
function WhereAddressesAre() {
  return (
    <details className={classes.where}>
      <summary>Where is the secret address?</summary>
      <dl>
        <dt>Google Calendar</dt>
        <dd>
          On a computer: Settings, your calendar at the left, Integrate calendar, <em>Secret address in iCal format</em>
          .
        </dd>
        <dt>Outlook and Microsoft 365</dt>
        <dd>
          On the web: Settings, Calendar, Shared calendars, Publish a calendar. <em>Can view when I’m busy</em> is
          enough. Publish, and copy the ICS link.
        </dd>
        <dt>iCloud</dt>
        <dd>
          On icloud.com or in Calendar on a Mac: the share icon beside the calendar, <em>Public Calendar</em>, copy the
          link.
        </dd>
        <dt>Nextcloud, Proton and others</dt>
        <dd>Share the calendar by link, and copy the subscription link or the link to an ICS file.</dd>
      </dl>
    </details>
  );
}
