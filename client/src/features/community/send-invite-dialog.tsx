import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogButtons, DialogForm } from '#client/components/dialog.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { MAIL } from '#shared/limits.ts';
import type { InviteDto } from '#shared/schemas/community.ts';
import { sendInviteInput, type SentInvitesDto } from '#shared/schemas/mail.ts';
import classes from './community.module.css';

/** The addresses of pasted text: lines, commas or semicolons between them, names beside them left out. */
const readAddresses = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((part) => (/<([^<>]+)>/.exec(part)?.[1] ?? part).trim())
    .filter((part) => part !== '');

interface SendInviteDialogProps {
  invite: InviteDto;
  /** address to begin with */
  to?: string | undefined;
  onClose: () => void;
}

/** Dialog that sends an invite to pasted addresses, and tells who gets none. */
export function SendInviteDialog({ invite, to = '', onClose }: SendInviteDialogProps) {
  const utils = trpc.useUtils();
  const [text, setText] = useState(to);
  const [error, setError] = useState<Told>(null);
  const send = trpc.admin.mail.sendInvite.useMutation({
    onSuccess: () => void utils.admin.audit.invalidate(),
    onError: (cause) => setError(failureOf(cause, copy.unknownError)),
  });
  if (send.data !== undefined) return <Result sent={send.data} name={invite.name} onClose={onClose} />;
  const addresses = readAddresses(text);
  return (
    <Dialog opened title={`Send “${invite.name}” by email`} onClose={onClose}>
      <DialogForm
        error={error}
        onClose={onClose}
        submit={addresses.length > 1 ? `Send to ${addresses.length}` : 'Send'}
        isBusy={send.isPending}
        onSubmit={(event) => {
          event.preventDefault();
          const { data, error: invalid } = sendInviteInput.safeParse({ id: invite.id, addresses });
          const issue = invalid?.issues[0];
          const wrong = issue?.path[0] === 'addresses' ? addresses[Number(issue.path[1])] : undefined;
          setError(issue ? `${wrong === undefined ? '' : `${wrong}: `}${issue.message}` : null);
          if (data) send.mutate(data);
        }}
      >
        <Textarea
          label="Addresses"
          description={`Up to ${MAIL.addresses}, one a line or with commas between them`}
          placeholder={'viper@example.org\ngoose@example.org'}
          autosize
          minRows={5}
          maxRows={12}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </DialogForm>
    </Dialog>
  );
}

const REASONS = { account: 'has an account', banned: 'is banned', unsubscribed: 'wants no invites' } as const;

function Result({ sent, name, onClose }: { sent: SentInvitesDto; name: string; onClose: () => void }) {
  const { queued, leftOut } = sent;
  return (
    <Dialog opened title={`“${name}” by email`} onClose={onClose}>
      <div className={classes.form}>
        <p role="status" className={classes.text}>
          {queued === 1 ? 'The invite is on its way to 1 address.' : `The invite is on its way to ${queued} addresses.`}
        </p>
        {leftOut.length > 0 && (
          <ul className={classes.text}>
            {leftOut.map(({ address, reason }) => (
              <li key={address}>
                {address} {REASONS[reason]}
              </li>
            ))}
          </ul>
        )}
      </div>
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Dialog>
  );
}
