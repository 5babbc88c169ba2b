/** Catalogue entries for interactive parts of `components/`. */
import { createMemoryHistory } from '@tanstack/react-router';
import { Button, Checkbox } from '@mantine/core';
import { IconChevronDown, IconKey, IconTrash } from '@tabler/icons-react';
import { ActionMenu, MenuItem } from '#client/components/action-menu.tsx';
import { Annunciator } from '#client/components/annunciator.tsx';
import { Choice } from '#client/components/choice.tsx';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { CopyButton } from '#client/components/copy-button.tsx';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { EmailField } from '#client/components/email-field.tsx';
import { FileDrop } from '#client/components/file-drop.tsx';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { IconButton } from '#client/components/icon-button.tsx';
import { LeaveGuard } from '#client/components/leave-guard.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Pagination } from '#client/components/pagination.tsx';
import { PasswordField } from '#client/components/password-field.tsx';
import { SchemeToggle } from '#client/components/scheme-toggle.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { SearchField } from '#client/components/search-field.tsx';
import { ShownOnce } from '#client/components/shown-once.tsx';
import { TimeField } from '#client/components/time-field.tsx';
import { Toaster } from '#client/components/toaster.tsx';
import { showToast } from '#client/lib/toast.ts';
import { LONG, noop, Opened, Stateful, type Specimens } from './specimens.tsx';

/** Links of toasts lead nowhere here. */
const history = createMemoryHistory();

const LAMPS = [
  { value: 'idle', label: 'Idle', signal: 'gray', shape: 'circle' },
  { value: 'busy', label: 'Do Not Disturb', signal: 'red', shape: 'square' },
  { value: 'now', label: 'Find Flight', signal: 'green', shape: 'triangle', hint: '60 min' },
] as const;

const DAYS = [
  { value: 7, label: '7 days' },
  { value: 14, label: '14 days' },
  { value: 30, label: '30 days' },
];

export const CONTROLS: Specimens = {
  'components/action-menu': {
    'a menu': (
      <ActionMenu label="Actions for Maverick">
        <MenuItem leftSection={<IconKey size={18} aria-hidden="true" />}>Reset password</MenuItem>
        <MenuItem leftSection={<IconTrash size={18} aria-hidden="true" />}>Remove</MenuItem>
        <MenuItem disabled>Disabled</MenuItem>
        <MenuItem>{LONG}</MenuItem>
      </ActionMenu>
    ),
  },
  'components/annunciator': {
    'one lamp lit': (
      <Stateful initial="idle">
        {(value, change) => <Annunciator label="Status" lamps={LAMPS} value={value} onChange={change} />}
      </Stateful>
    ),
    disabled: <Annunciator label="Status, disabled" lamps={LAMPS} value="busy" onChange={noop} disabled />,
  },
  'components/choice': {
    'yes or no': (
      <Stateful<boolean> initial>
        {(checked, change) => (
          <Choice label="New frag orders" meaning="A mission has a seat." checked={checked} onChange={change} />
        )}
      </Stateful>
    ),
    'some of several': <Choice label="Blue · 4 groups, 12 seats" checked={false} indeterminate onChange={noop} />,
    'long text': <Choice label={LONG} meaning={LONG} checked={false} onChange={noop} />,
  },
  'components/confirm-modal': {
    'a question': (
      <Opened label="Ask">
        {(close) => (
          <ConfirmModal
            opened
            title="Remove admin role from user?"
            confirmLabel="Remove"
            onConfirm={close}
            onClose={close}
          >
            You will be the only admin then.
          </ConfirmModal>
        )}
      </Opened>
    ),
    'busy, dangerous, long': (
      <Opened label="Ask, busy">
        {(close) => (
          <ConfirmModal
            opened
            busy
            title={LONG}
            confirmLabel="Cancel mission"
            signal="red"
            onConfirm={noop}
            onClose={close}
          >
            {LONG}
          </ConfirmModal>
        )}
      </Opened>
    ),
  },
  'components/copy-button': {
    'beside a text': (
      <span>
        251.000 <CopyButton text="251.000" label="Copy the frequency" copiedLabel="Frequency copied" />
      </span>
    ),
  },
  'components/search-field': {
    empty: <SearchField value="" placeholder="Name or text" maxLength={100} onSearch={() => undefined} />,
  },
  'components/shown-once': {
    'a link': (
      <ShownOnce
        label="Personal link"
        description="Copy it now: it won't be shown again."
        secret="https://marshal.example.org/set-password/b3BlbiBzZXNhbWU"
        copyLabel="Copy link"
        copiedLabel="Link copied"
      />
    ),
  },
  'components/dialog': {
    open: (
      <Opened label="Open">
        {(close) => (
          <Dialog opened title="Set a level" onClose={close}>
            <p>{LONG}</p>
            <DialogButtons>
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button onClick={close}>Save</Button>
            </DialogButtons>
          </Dialog>
        )}
      </Opened>
    ),
  },
  'components/file-drop': {
    empty: (
      <FileDrop
        label="File"
        title="Choose a file"
        hint="At most 50 MB"
        icon={<IconKey />}
        accept=".miz"
        onFile={noop}
      />
    ),
    disabled: (
      <FileDrop disabled label="File" title="Reading..." hint={LONG} icon={<IconKey />} accept=".miz" onFile={noop} />
    ),
  },
  'components/email-field': {
    empty: <EmailField />,
    error: <EmailField defaultValue="maverick@" error="Invalid email address" />,
    disabled: <EmailField defaultValue="maverick@example.org" disabled />,
    'long text': <EmailField defaultValue={LONG} />,
  },
  'components/form-error': {
    error: <Opened label="Fail">{() => <FormError message="Invalid email or password" />}</Opened>,
    'error, long': <Opened label="Fail at length">{() => <FormError message={LONG} />}</Opened>,
    note: <FormNote>Your weekly hours keep their local time. Missions don't move.</FormNote>,
  },
  'components/icon-button': {
    plain: (
      <IconButton label="Delete" onClick={noop}>
        <IconTrash size={18} aria-hidden="true" />
      </IconButton>
    ),
    'in a line': (
      <IconButton inline label="Delete, in a line" onClick={noop}>
        <IconTrash size={18} aria-hidden="true" />
      </IconButton>
    ),
    'shows and hides': (
      <Stateful initial={false}>
        {(isOpen, change) => (
          <IconButton label="Show groups" expanded={isOpen} onClick={() => change(!isOpen)}>
            <IconChevronDown size={18} aria-hidden="true" />
          </IconButton>
        )}
      </Stateful>
    ),
  },
  'components/leave-guard': {
    'unsaved work': (
      <Stateful initial={false}>
        {(isDirty, change) => (
          <>
            <Checkbox
              label="Something is not saved"
              checked={isDirty}
              onChange={({ currentTarget }) => change(currentTarget.checked)}
            />
            <LinkButton to="/home" variant="default">
              Leave
            </LinkButton>
            <LeaveGuard isDirty={isDirty}>Your changes would be lost.</LeaveGuard>
          </>
        )}
      </Stateful>
    ),
  },
  'components/link-button': {
    primary: <LinkButton to="/home">Home</LinkButton>,
    default: (
      <LinkButton to="/home" variant="default">
        Home
      </LinkButton>
    ),
    light: (
      <LinkButton to="/home" variant="light" size="xs">
        Home
      </LinkButton>
    ),
    disabled: <LinkButton to="/home" disabled>{`Home, disabled`}</LinkButton>,
  },
  'components/pagination': {
    'many pages': (
      <Stateful initial={5}>
        {(page, change) => <Pagination label="Users" page={page} pages={21} onPage={change} />}
      </Stateful>
    ),
    'first of two': <Pagination label="Members" page={1} pages={2} onPage={noop} />,
    'one page shows nothing': <Pagination label="Nobody" page={1} pages={1} onPage={noop} />,
  },
  'components/password-field': {
    empty: <PasswordField label="Password" toggles="password" />,
    error: <PasswordField label="New password" toggles="new password" error="At least 8 characters" />,
    disabled: <PasswordField label="Old password" toggles="old password" disabled />,
  },
  'components/scheme-toggle': { 'night or day': <SchemeToggle /> },
  'components/segmented': {
    'one taken': (
      <Stateful initial={14}>
        {(value, change) => <Segmented label="Days" segments={DAYS} value={value} onChange={change} />}
      </Stateful>
    ),
    'none taken': (
      <Stateful<number | null> initial={null}>
        {(value, change) => <Segmented label="Days, none taken" segments={DAYS} value={value} onChange={change} />}
      </Stateful>
    ),
    'hidden label': <Segmented label="Days, read only" hideLabel segments={DAYS} value={7} onChange={noop} />,
  },
  'components/time-field': {
    filled: (
      <Stateful initial="19:00">
        {(value, change) => <TimeField label="Start" value={value} onChange={change} />}
      </Stateful>
    ),
    empty: (
      <Stateful initial="">
        {(value, change) => <TimeField label="Start, empty" required value={value} onChange={change} />}
      </Stateful>
    ),
    error: (
      <Stateful initial="25:00">
        {(value, change) => (
          <TimeField label="Start, refused" value={value} error="Please enter a time as HH:mm" onChange={change} />
        )}
      </Stateful>
    ),
    disabled: <TimeField label="Start, disabled" disabled value="19:00" onChange={noop} />,
  },
  'components/toaster': {
    toasts: (
      <>
        <Button variant="default" onClick={() => showToast('Saved')}>
          Done
        </Button>
        <Button
          variant="default"
          onClick={() =>
            showToast('RSVP sent: Declined', { signal: 'yellow', action: { label: 'Undo', onClick: noop } })
          }
        >
          With Undo
        </Button>
        <Button variant="default" onClick={() => showToast(LONG, { signal: 'red' })}>
          Failed, long
        </Button>
        <Toaster history={history} />
      </>
    ),
  },
};
