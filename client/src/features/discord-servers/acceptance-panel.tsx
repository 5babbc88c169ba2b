import { Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Panel } from '#client/components/panel.tsx';
import { failureOf } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { GuildDetailDto } from '#shared/schemas/discord.ts';
import { guildCopy } from './guild-text.ts';
import classes from './acceptance-panel.module.css';

/** Shows the server as a call has left it, and loads again what depends on it. */
function useSaved(guildId: string): (saved: GuildDetailDto) => Promise<void> {
  const utils = trpc.useUtils();
  return async (saved) => {
    utils.discord.guild.setData({ guildId }, saved);
    void utils.admin.audit.invalidate();
    await utils.discord.invalidate();
  };
}

interface AcceptancePanelProps {
  guild: GuildDetailDto;
  /** true when Discord is not configured, so the bot cannot leave */
  isOff: boolean;
}

/** Panel of a server that waits for an admin: what waiting means, and the two ways out of it. */
export function AcceptancePanel({ guild: { id, acceptedAt, status }, isOff }: AcceptancePanelProps) {
  const accept = trpc.discord.acceptGuild.useMutation({ onSuccess: useSaved(id) });
  const isWaiting = acceptedAt === null && status !== 'disabled';
  if (!isWaiting && !accept.isSuccess) return null;
  return (
    <Panel title={guildCopy.acceptance} className={classes.panel}>
      {isWaiting ? (
        <div className={classes.parts}>
          <FormError message={accept.error && failureOf(accept.error, copy.unknownError)} />
          <p className={classes.text}>{guildCopy.pendingText}</p>
          <div className={classes.row}>
            <Button disabled={accept.isPending} onClick={() => accept.mutate({ guildId: id })}>
              {accept.isPending ? guildCopy.accepting : guildCopy.accept}
            </Button>
            {!isOff && <LeaveServer guildId={id} />}
          </div>
        </div>
      ) : (
        <output className={classes.done}>
          <IconCircleCheck size={20} aria-hidden="true" />
          {guildCopy.accepted}
        </output>
      )}
    </Panel>
  );
}

/** Panel of an accepted server to make the bot leave it. */
export function LeavePanel({ guildId }: { guildId: string }) {
  return (
    <Panel title={guildCopy.leave} className={classes.panel}>
      <div className={classes.parts}>
        <p className={classes.text}>{guildCopy.leaveText}</p>
        <div className={classes.row}>
          <LeaveServer guildId={guildId} />
        </div>
      </div>
    </Panel>
  );
}

/** Button that makes the bot leave the server, after a confirmation. */
function LeaveServer({ guildId }: { guildId: string }) {
  const [isAsking, setAsking] = useState(false);
  const leave = trpc.discord.leaveGuild.useMutation({
    onSuccess: useSaved(guildId),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <FormError message={leave.error && failureOf(leave.error, copy.unknownError)} />
      <Button variant="default" disabled={leave.isPending || leave.isSuccess} onClick={() => setAsking(true)}>
        {leave.isSuccess ? guildCopy.leaving : guildCopy.leave}
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={guildCopy.leaveTitle}
        confirmLabel={guildCopy.leaveConfirm}
        signal="red"
        busy={leave.isPending}
        onConfirm={() => leave.mutate({ guildId })}
        onClose={() => setAsking(false)}
      >
        {guildCopy.leaveText}
      </ConfirmModal>
    </>
  );
}
