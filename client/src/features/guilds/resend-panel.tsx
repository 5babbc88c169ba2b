import { Button, NativeSelect } from '@mantine/core';
import { IconCircleCheck, IconSend } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { Panel } from '#client/components/panel.tsx';
import { errorMessage, errorStatus, ForeignAnswer } from '#client/lib/errors.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { GuildDetailDto } from '#shared/schemas/discord.ts';
import { guildCopy, queuedSentence, sendFailure } from './guild-copy.ts';
import { postableChannels } from './postable-channels.ts';
import classes from './resend-panel.module.css';

/** What became of the last try. */
type Outcome = { sentence: string; isDone: boolean };

/** Post the registration announcement again, in the default channel or another one. */
export function ResendPanel({ guild }: { guild: GuildDetailDto }) {
  const utils = trpc.useUtils();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [picked, setPicked] = useState<string | null>(null);
  const isSending = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  const postable = postableChannels(guild);
  const channel =
    postable.find(({ id }) => id === picked) ??
    postable.find(({ id }) => id === guild.defaultSplashChannelId) ??
    postable[0];

  const resend = trpc.discord.resendRegistration.useMutation({
    onSuccess: async ({ success, errorMessage: refusal }, { channelId }) => {
      // The one that was asked for: another may be picked by now.
      const asked = postable.find(({ id }) => id === channelId);
      setOutcome({
        sentence: success ? queuedSentence(asked?.name ?? '') : (refusal ?? copy.registrationNotSent),
        isDone: success,
      });
      void utils.admin.audit.invalidate();
      await utils.discord.invalidate();
    },
    onError: (error) => setOutcome({ sentence: failureOf(error), isDone: false }),
    onSettled: () => {
      isSending.current = false;
    },
  });

  // A button that is switched off while it sends loses the focus.
  useEffect(() => {
    if (outcome !== null && !resend.isPending && document.activeElement === document.body) {
      button.current?.focus({ preventScroll: true });
    }
  }, [outcome, resend.isPending]);

  const send = (): void => {
    if (isSending.current || channel === undefined) {
      return;
    }
    isSending.current = true;
    setOutcome(null);
    resend.mutate({ guildId: guild.id, channelId: channel.id, registrationBaseUrl: location.origin });
  };

  return (
    <Panel title="Registration Announcement">
      <div className={classes.parts}>
        <FormError message={outcome !== null && !outcome.isDone ? outcome.sentence : null} />
        <div className={classes.what}>
          {channel === undefined ? (
            <p className={classes.sentence}>{guildCopy.noPostable}</p>
          ) : (
            <p className={classes.hint}>{guildCopy.resendHint}</p>
          )}
          <div className={classes.row}>
            {channel !== undefined && (
              <NativeSelect
                label="Channel"
                className={classes.channel}
                value={channel.id}
                onChange={(event) => setPicked(event.currentTarget.value)}
                data={postable.map(({ id, name }) => ({
                  value: id,
                  label: id === guild.defaultSplashChannelId ? `#${name} (default)` : `#${name}`,
                }))}
              />
            )}
            <Button
              ref={button}
              disabled={resend.isPending || channel === undefined}
              leftSection={<IconSend size={18} stroke={1.75} aria-hidden="true" />}
              onClick={send}
            >
              {resend.isPending ? guildCopy.sending : guildCopy.resend}
            </Button>
          </div>
        </div>
        <output className={classes.done} hidden={outcome?.isDone !== true}>
          {outcome?.isDone === true && (
            <>
              <IconCircleCheck size={20} stroke={1.75} aria-hidden="true" />
              {outcome.sentence}
            </>
          )}
        </output>
      </div>
    </Panel>
  );
}

/** `Failed to send registration: 429 - {the server's sentence}`; without any answer, that nobody knows why. */
function failureOf(error: Parameters<typeof errorMessage>[0]): string {
  const status = errorStatus(error);
  const cause = error instanceof Error ? error.cause : undefined;
  const said = cause instanceof ForeignAnswer ? cause.body : errorMessage(error, copy.unknownError);
  return status === undefined ? said : sendFailure(status, said);
}
