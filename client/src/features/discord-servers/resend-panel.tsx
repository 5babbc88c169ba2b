import { Button, NativeSelect } from '@mantine/core';
import { IconCircleCheck, IconSend } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Panel } from '#client/components/panel.tsx';
import { errorMessage, errorStatus } from '#client/lib/errors.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { GuildDetailDto } from '#shared/schemas/discord.ts';
import { AnnouncementState } from './announcement-state.tsx';
import { guildCopy, queuedSentence, sendFailure, sentSentence } from './guild-text.ts';
import { postableChannels } from './postable-channels.ts';
import classes from './resend-panel.module.css';

/** Result of the last attempt: an error sentence, or the name of the channel. */
type Outcome = { failure: string } | { channelName: string };

interface ResendPanelProps {
  guild: GuildDetailDto;
  /** true when Discord is not configured, so nothing can be posted */
  isOff: boolean;
}

/** Panel that resends the registration announcement to a chosen channel and shows the state of the last one. */
export function ResendPanel({ guild, isOff }: ResendPanelProps) {
  const utils = trpc.useUtils();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isAsking, setAsking] = useState(false);
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
      // The channel of this request; the selection may have changed since.
      const asked = postable.find(({ id }) => id === channelId);
      void utils.admin.audit.invalidate();
      // Reload first, so that the message matches the reloaded state.
      await utils.discord.invalidate();
      setOutcome(success ? { channelName: asked?.name ?? '' } : { failure: refusal ?? copy.registrationNotSent });
    },
    onError: (error) => setOutcome({ failure: failureOf(error) }),
    onSettled: () => {
      isSending.current = false;
    },
  });

  // The button loses the focus while it is disabled.
  useEffect(() => {
    if (outcome !== null && !resend.isPending && document.activeElement === document.body) {
      button.current?.focus({ preventScroll: true });
    }
  }, [outcome, resend.isPending]);

  const send = (): void => {
    setAsking(false);
    if (isSending.current || channel === undefined) {
      return;
    }
    isSending.current = true;
    setOutcome(null);
    resend.mutate({ guildId: guild.id, channelId: channel.id, registrationBaseUrl: location.origin });
  };

  const { announcement } = guild;
  // Discord may have posted the last one: ask before posting a second one.
  const ask = announcement?.state === 'uncertain' ? () => setAsking(true) : send;
  const obstacle = findObstacle(guild, channel, isOff);
  const isDisabled = resend.isPending || obstacle !== null;
  const failure = outcome !== null && 'failure' in outcome ? outcome.failure : null;
  const done = outcome !== null && 'channelName' in outcome ? doneSentence(outcome.channelName, announcement) : null;

  return (
    <Panel title="Registration Announcement">
      <div className={classes.parts}>
        <FormError message={failure} />
        <div className={classes.what}>
          {obstacle === null ? (
            <p className={classes.hint}>{guildCopy.resendHint}</p>
          ) : (
            <p className={classes.sentence}>{obstacle}</p>
          )}
          <div className={classes.row}>
            {channel !== undefined && obstacle === null && (
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
              disabled={isDisabled}
              leftSection={<IconSend size={18} aria-hidden="true" />}
              onClick={ask}
            >
              {resend.isPending ? guildCopy.sending : guildCopy.resend}
            </Button>
          </div>
        </div>
        <output className={classes.done} hidden={done === null}>
          {done !== null && (
            <>
              <IconCircleCheck size={20} aria-hidden="true" />
              {done}
            </>
          )}
        </output>
        <AnnouncementState
          announcement={announcement}
          action={
            <Button variant="default" size="xs" disabled={isDisabled} onClick={ask}>
              {guildCopy.sendAgain}
            </Button>
          }
        />
      </div>
      <ConfirmModal
        opened={isAsking}
        title={guildCopy.sendAgainTitle}
        confirmLabel={guildCopy.sendAgain}
        signal="yellow"
        onConfirm={send}
        onClose={() => setAsking(false)}
      >
        {guildCopy.sendAgainText}
      </ConfirmModal>
    </Panel>
  );
}

/** The one reason why nothing can be posted; null if something can. */
function findObstacle(
  { acceptedAt, status }: GuildDetailDto,
  channel: GuildDetailDto['channels'][number] | undefined,
  isOff: boolean,
): string | null {
  if (isOff) return copy.discordOff;
  if (acceptedAt === null && status !== 'disabled') return copy.guildPending;
  return channel === undefined ? guildCopy.noPostable : null;
}

/** Success sentence while the announcement is queued or once it is sent; other states are shown below. */
function doneSentence(channelName: string, announcement: GuildDetailDto['announcement']): string | null {
  if (announcement?.state === 'sent') return sentSentence(channelName);
  return announcement?.state === 'queued' || announcement?.state === 'sending' ? queuedSentence(channelName) : null;
}

/** `Failed to send registration: 429 - {the server's sentence}`, or a general sentence without an answer. */
function failureOf(error: Parameters<typeof errorMessage>[0]): string {
  const status = errorStatus(error);
  // the status is already in front
  const said = errorMessage(error, copy.unknownError).replace(/^API Error \d+: /, '');
  return status === undefined ? said : sendFailure(status, said);
}
