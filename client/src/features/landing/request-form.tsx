import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { z } from '#shared/zod.ts';
import { LinkButton } from '#client/components/link-button.tsx';
import { focusFirstError } from '#client/lib/form.ts';
import { registrationLink, type SlotRequest } from '#client/lib/slot-request.ts';
import { trpc } from '#client/lib/trpc.ts';
import { CALL_SIGN_LENGTH } from '#shared/limits.ts';
import { copy } from '#shared/copy.ts';
import { emailInput, safeText } from '#shared/schemas/common.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';
import classes from './request-form.module.css';

const MODULES = ['F/A-18C', 'F-16C', 'A-10C II', 'F-14B', 'Mirage 2000C', 'Other'];
const SKILL_LEVELS = ['Rookie', 'Intermediate', 'Advanced', 'Instructor'];
const WEEKLY_SLOTS = ['Weeknights UTC-5', 'Weekends UTC-5', 'Flexible'];

const INITIAL = {
  handle: '',
  email: '',
  module: 'F/A-18C',
  skill: 'Rookie',
  slot: 'Weeknights UTC-5',
  notes: '',
};

/** Levels of the registration. */
const LEVELS: Record<string, ProficiencyLevel> = {
  Rookie: 'basic',
  Intermediate: 'learning',
  Advanced: 'proficient',
  Instructor: 'expert',
};

function slotRequestOf({ handle, email, module, skill }: typeof INITIAL): SlotRequest {
  return {
    callSign: handle.trim(),
    email: email.trim(),
    module: module === 'Other' ? null : module,
    level: LEVELS[skill] ?? 'basic',
  };
}

/** Required fields; the email follows the rule for accounts. */
const requestInput = z.object({
  handle: safeText(CALL_SIGN_LENGTH.max).refine((handle) => handle !== '', 'Pilot handle is required'),
  email: z.string().trim().min(1, { error: 'Email is required', abort: true }).pipe(emailInput),
});

/**
 * Form that requests a weekly slot. As the specification fixes, submitting only shows a message and makes no call. Whoever
 * wants an account goes on to the registration, where what was typed is filled in.
 */
export function RequestForm() {
  const [sent, setSent] = useState(0);
  const [request, setRequest] = useState<SlotRequest | null>(null);
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
      setRequest(slotRequestOf(values));
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
          <IconCircleCheck size={20} stroke={1.75} aria-hidden="true" />
          <span>Request submitted! We'll email you your slot options.</span>
        </div>
      )}
      {sent > 0 && request !== null && (
        <div className={classes.next}>
          {registration.data?.mode === 'invite' ? (
            <span>{copy.inviteRequired}</span>
          ) : (
            <>
              <LinkButton {...registrationLink(request)}>Create your account with this</LinkButton>
              <span>Your email, call sign and aircraft are filled in.</span>
            </>
          )}
        </div>
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
      <NativeSelect label="Primary module" data={MODULES} key={form.key('module')} {...form.getInputProps('module')} />
      <NativeSelect label="Skill level" data={SKILL_LEVELS} key={form.key('skill')} {...form.getInputProps('skill')} />
      <NativeSelect
        className={classes.whole}
        label="Preferred weekly slot"
        data={WEEKLY_SLOTS}
        key={form.key('slot')}
        {...form.getInputProps('slot')}
      />
      <Textarea
        className={classes.whole}
        label="Notes"
        rows={3}
        key={form.key('notes')}
        {...form.getInputProps('notes')}
      />
      <Button type="submit" className={classes.submit}>
        Request slot
      </Button>
    </form>
  );
}
