import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
// oxlint-disable-next-line no-restricted-imports -- it sends nothing
import { schemaResolver, useForm } from '@mantine/form';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { z } from '#shared/zod.ts';
import { LinkButton } from '#client/components/link-button.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { focusFirstError } from '#client/lib/form-errors.ts';
import { registrationLink, type SlotRequest } from '#client/lib/slot-request.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import {
  REQUEST_MODULES,
  SLOT_REQUESTS,
  slotRequestFields,
  slotRequestInput,
  WEEKLY_SLOTS,
} from '#shared/schemas/slot-requests.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';
import classes from './request-form.module.css';

const SKILL_LEVELS = ['Rookie', 'Intermediate', 'Advanced', 'Instructor'];

const INITIAL = {
  handle: '',
  email: '',
  module: REQUEST_MODULES[0] as string,
  skill: 'Rookie',
  slot: WEEKLY_SLOTS[0] as string,
  notes: '',
};
type Values = typeof INITIAL;

/** Levels of the registration. */
const LEVELS: Record<string, ProficiencyLevel> = {
  Rookie: 'basic',
  Intermediate: 'learning',
  Advanced: 'proficient',
  Instructor: 'expert',
};

/** The request as the registration takes it over. */
const forRegistration = ({ handle, email, module, skill }: Values): SlotRequest => ({
  callSign: handle.trim(),
  email: email.trim(),
  module: module === 'Other' ? null : module,
  level: LEVELS[skill] ?? 'basic',
});

/** Required fields; the email follows the rule for accounts. */
const requestInput = z.object(slotRequestFields);

/**
 * Form that requests a weekly slot. As the specification fixes, submitting only shows a message and makes no call. Whoever
 * wants an account goes on to the registration, where what was typed is filled in, or asks for an invite where registration
 * needs one; only that sends the request to the admins.
 */
export function RequestForm() {
  const [sent, setSent] = useState(0);
  const [request, setRequest] = useState<Values | null>(null);
  const [isUsed, setUsed] = useState(false);
  // Asked when the form is first used, so that neither the page nor submitting waits for it.
  const registration = trpc.auth.registration.useQuery({}, { enabled: isUsed, staleTime: Infinity });
  const box = useRef<HTMLDivElement>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: INITIAL,
    validate: schemaResolver(requestInput, { sync: true }),
  });

  useEffect(() => {
    if (sent > 0) {
      box.current?.focus();
    }
  }, [sent]);

  const submit = form.onSubmit(
    (values) => {
      setRequest(values);
      form.reset();
      setSent(sent + 1);
    },
    (errors) => {
      setSent(0);
      focusFirstError(form)(errors);
    },
  );

  return (
    // The handler only notices that somebody begins to use the form.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      noValidate
      onSubmit={submit}
      onFocus={() => setUsed(true)}
      className={classes.fields}
      aria-labelledby="pick-your-slot-title"
    >
      {sent > 0 && (
        <div key={sent} ref={box} role="alert" tabIndex={-1} className={classes.sent}>
          <IconCircleCheck size={20} aria-hidden="true" />
          <span>Request submitted! We'll email you your slot options.</span>
        </div>
      )}
      {sent > 0 && request !== null && (
        <NextStep key={`next ${sent}`} request={request} needsInvite={registration.data?.mode === 'invite'} />
      )}
      <TextInput
        label="Pilot handle"
        required
        autoComplete="nickname"
        key={form.key('handle')}
        {...form.getInputProps('handle')}
      />
      <TextInput
        label="Email"
        required
        type="email"
        autoComplete="email"
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <NativeSelect
        label="Primary module"
        data={[...REQUEST_MODULES]}
        key={form.key('module')}
        {...form.getInputProps('module')}
      />
      <NativeSelect label="Skill level" data={SKILL_LEVELS} key={form.key('skill')} {...form.getInputProps('skill')} />
      <NativeSelect
        className={classes.whole}
        label="Preferred weekly slot"
        data={[...WEEKLY_SLOTS]}
        key={form.key('slot')}
        {...form.getInputProps('slot')}
      />
      <Textarea
        className={classes.whole}
        label="Notes"
        rows={3}
        maxLength={SLOT_REQUESTS.notesLength}
        key={form.key('notes')}
        {...form.getInputProps('notes')}
      />
      <Button type="submit" className={classes.submit}>
        Request slot
      </Button>
    </form>
  );
}

interface NextStepProps {
  request: Values;
  /** nobody can register without an invite */
  needsInvite: boolean;
}

/** The buttons below a finished request: create an account with it, or ask for an invite. Both send it to the admins. */
function NextStep({ request, needsInvite }: NextStepProps) {
  const ask = trpc.auth.requestSlot.useMutation();
  const { skill, ...rest } = request;
  const send = (): void => {
    const parse = (notes: string) => slotRequestInput.safeParse({ ...rest, notes, level: LEVELS[skill] }).data;
    // the form takes any notes; those that cannot be stored are left out
    const data = parse(rest.notes) ?? parse('');
    if (data) ask.mutate(data);
  };
  if (!needsInvite) {
    return (
      <div className={classes.next}>
        <LinkButton {...registrationLink(forRegistration(request))} onClick={send}>
          Create your account with this
        </LinkButton>
        <span>Your email, call sign and aircraft are filled in.</span>
      </div>
    );
  }
  return (
    <div className={classes.next}>
      {ask.isSuccess ? (
        <span role="status">The admins have your request and can answer with an invite.</span>
      ) : (
        <>
          <Button disabled={ask.isPending} onClick={send}>
            {ask.isPending ? 'Sending...' : 'Ask for an invite'}
          </Button>
          <span>Registration is by invite here. The admins get what you typed.</span>
          {ask.isError && <span role="alert">{errorMessage(ask.error, copy.unknownError)}</span>}
        </>
      )}
    </div>
  );
}
