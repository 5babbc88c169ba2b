/** First steps that are done inside the checklist: the community's name, the admin's call sign and zone, an invite link. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { defaultInviteName, INVITE_DAYS, inviteExpiry } from '#client/domain-ui/invite-message.ts';
import { useZoneQuestion } from '#client/domain-ui/use-zone-question.ts';
import { ZoneQuestion } from '#client/domain-ui/zone-question.tsx';
import { type FieldIssue } from '#client/lib/errors.ts';
import { pointOut, showServerError } from '#client/lib/form-errors.ts';
import { usePlainForm } from '#client/lib/plain-form.ts';
import { useMergeViewer, useSignedInViewer } from '#client/lib/session.ts';
import { detectedTimeZone, firstTimeZone } from '#client/lib/time.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { localDate } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import type { InviteDto } from '#shared/schemas/community.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { boardCopy } from './board-text.ts';
import classes from './guided-start.module.css';

interface StepFormProps {
  variant: 'filled' | 'default';
  /** called once the step is done */
  onDone: () => Promise<void>;
}

const complain = (cause: unknown): void => showFailure(cause, copy.unknownError);

async function loadNameCheck() {
  const { updateCommunityInput } = await import('#shared/schemas/community.ts');
  const name = updateCommunityInput.shape.name;
  return (values: { name: string }): FieldIssue[] =>
    values.name.trim() === ''
      ? [{ path: 'name', message: boardCopy.nameRequired }]
      : (name.safeParse(values.name).error?.issues ?? []).map(({ message }) => ({ path: 'name', message }));
}

export function NameForm({ variant, onDone }: StepFormProps) {
  const utils = trpc.useUtils();
  const form = usePlainForm(['name'], loadNameCheck);
  const update = trpc.admin.community.update.useMutation({
    onSuccess: async (saved) => {
      utils.admin.community.get.setData(undefined, saved);
      void utils.admin.audit.invalidate();
      await onDone();
    },
    onError: (cause) => {
      showServerError(form, cause, copy.unknownError);
      complain(cause);
    },
  });
  /** Sends the registration setting unchanged. It is loaded on submit, so that the form works as soon as it is shown. */
  const save = async ({ name }: { name: string }): Promise<void> => {
    try {
      const { registration } = await utils.admin.community.get.ensureData();
      update.mutate({ name, registration });
    } catch (cause) {
      complain(cause);
    }
  };
  return (
    <form className={classes.form} {...form.formProps((values) => void save(values))}>
      <TextInput
        aria-label="Community name"
        placeholder="Community name"
        autoComplete="organization"
        {...form.inputProps('name')}
      />
      <Button type="submit" variant={variant} loading={update.isPending}>
        Save Name
      </Button>
    </form>
  );
}

async function loadProfileCheck() {
  const { profileForm } = await import('#shared/schemas/auth.ts');
  return ({ displayName }: { displayName: string }): FieldIssue[] =>
    (profileForm.shape.displayName.safeParse(displayName).error?.issues ?? []).map(({ message }) => ({
      path: 'displayName',
      message,
    }));
}

export function CallSignForm({ variant, onDone }: StepFormProps) {
  const viewer = useSignedInViewer();
  const mergeViewer = useMergeViewer();
  const utils = trpc.useUtils();
  const [first] = useState(() => firstTimeZone({ callSign: viewer.displayName, timeZone: viewer.timeZone }));
  const [zone, setZone] = useState(first);
  const question = useZoneQuestion();
  const form = usePlainForm(['displayName'], loadProfileCheck);
  const update = trpc.pilot.updateProfile.useMutation({
    onSuccess: async ({ looksLike, ...user }) => {
      mergeViewer(user);
      pointOut(looksLike);
      void utils.availability.window.invalidate();
      await onDone();
    },
    onError: (cause) => {
      showServerError(form, cause, copy.unknownError);
      complain(cause);
    },
  });
  const offered = [...new Set([...TIME_ZONES, viewer.timeZone, detectedTimeZone(), first])];
  return (
    <form
      className={classes.form}
      {...form.formProps(({ displayName }) =>
        question.ask(zone, true, (timeZone) => {
          setZone(timeZone);
          update.mutate({
            id: viewer.id,
            displayName,
            timeZone,
            seen: { displayName: viewer.displayName, timeZone: viewer.timeZone },
          });
        }),
      )}
    >
      <TextInput
        aria-label="Call sign"
        placeholder="Call sign"
        autoComplete="nickname"
        {...form.inputProps('displayName')}
      />
      <NativeSelect
        aria-label="Time zone"
        data={[
          ...offered,
          {
            group: 'All time zones',
            items: Intl.supportedValuesOf('timeZone').filter((one) => !offered.includes(one)),
          },
        ]}
        value={zone}
        onChange={(event) => setZone(event.currentTarget.value)}
      />
      <Button type="submit" variant={variant} loading={update.isPending}>
        Save
      </Button>
      <ZoneQuestion {...question.dialog} />
    </form>
  );
}

/** Makes an invite with the usual choices. @param onMade called with it before the step is done */
export function InviteButton({ variant, onDone, onMade }: StepFormProps & { onMade: (invite: InviteDto) => void }) {
  const { timeZone } = useSignedInViewer();
  const utils = trpc.useUtils();
  const today = localDate(useNow(), timeZone);
  const create = trpc.admin.community.createInvite.useMutation({
    onSuccess: async (invite) => {
      onMade(invite);
      void utils.admin.audit.invalidate();
      void utils.admin.community.invites.invalidate();
      await onDone();
    },
    onError: complain,
  });
  return (
    <Button
      variant={variant}
      loading={create.isPending}
      onClick={() => create.mutate({ name: defaultInviteName(today), expiresAt: inviteExpiry(INVITE_DAYS) })}
    >
      Create Invite Link
    </Button>
  );
}
