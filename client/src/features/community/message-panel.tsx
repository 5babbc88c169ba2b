import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { LeaveGuard } from '#client/components/leave-guard.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Notes } from '#client/domain-ui/briefing/notes.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { keyed, newKey, onceClient } from '#client/lib/idempotent-client.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { communityMessageInput, type CommunityMessagesDto } from '#shared/schemas/community.ts';
import { count } from '#shared/plural.ts';
import { communityCopy } from './community-text.ts';
import classes from './community.module.css';

/** A message to all pilots who want community news, and the last ones. */
export function MessagePanel() {
  const messages = trpc.admin.community.messages.useQuery();
  return (
    <Panel title="Message to pilots">
      <Loaded
        query={messages}
        loading={communityCopy.loadingMessages}
        failure={copy.unknownError}
        prefix={communityCopy.messagesFailed}
        rows={4}
      >
        {(state) => <MessageForm state={state} />}
      </Loaded>
    </Panel>
  );
}

function MessageForm({ state: { recipients, byDiscord, byPush, left, messages } }: { state: CommunityMessagesDto }) {
  const utils = trpc.useUtils();
  const [text, setText] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<Told>(null);
  // The same text again after a lost answer is the same message.
  const last = useRef<{ text: string; key: string } | null>(null);
  const send = useMutation({
    mutationFn: () => {
      if (last.current?.text !== text) last.current = { text, key: newKey() };
      return onceClient.admin.community.sendMessage.mutate({ text }, keyed(last.current.key));
    },
    onSuccess: (after) => {
      last.current = null;
      utils.admin.community.messages.setData(undefined, after);
      void utils.admin.audit.invalidate();
      setText('');
      showToast(communityCopy.messageSent);
    },
    onError: (cause) => setError(failureOf(cause, copy.unknownError)),
    onSettled: () => setAsking(false),
  });
  const ask = (): void => {
    const { error: invalid } = communityMessageInput.safeParse({ text });
    setError(invalid?.issues[0]?.message ?? null);
    setAsking(invalid === undefined);
  };
  return (
    <div className={classes.settings}>
      <LeaveGuard isDirty={text.trim() !== ''}>Your message has not been sent.</LeaveGuard>
      <FormError message={error} />
      <Textarea
        label="Message"
        description={
          <>
            Goes to {count(recipients, 'pilot')} who asked for open missions and community news: {byDiscord} by Discord,{' '}
            {byPush} by notification.
            <br />
            **bold**, *italic*, - list, [title](https://…)
          </>
        }
        autosize
        minRows={3}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className={classes.foot}>
        <Button disabled={recipients === 0 || left === 0 || text.trim() === '' || send.isPending} onClick={ask}>
          Send Message
        </Button>
        <span className={classes.note}>
          {left === 0 ? communityCopy.noneLeft : recipients === 0 ? communityCopy.nobodyListens : `${left} left today`}
        </span>
      </div>
      {messages.length > 0 && (
        <ul className={classes.sent} aria-label="Sent messages">
          {messages.map(({ id, text: sent, sentBy, sentAt, recipients: reached }) => (
            <li key={id}>
              <span className={classes.note}>
                <ZTime iso={sentAt} withDate copyable={false} /> · {sentBy ?? 'A former admin'} ·{' '}
                {count(reached, 'pilot')}
              </span>
              <Notes texts={[sent]} />
            </li>
          ))}
        </ul>
      )}
      <ConfirmModal
        opened={isAsking}
        title={`Send this message to ${count(recipients, 'pilot')}?`}
        confirmLabel="Send"
        busy={send.isPending}
        onConfirm={() => send.mutate()}
        onClose={() => setAsking(false)}
      >
        <Notes texts={[text]} />
      </ConfirmModal>
    </div>
  );
}
