import { Button, NativeSelect } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Panel } from '#client/components/panel.tsx';
import { failureOf } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { GuildDetailDto } from '#shared/schemas/discord.ts';
import { guildCopy } from './guild-text.ts';
import { postableChannels } from './postable-channels.ts';
import classes from './missions-panel.module.css';

interface Choices {
  channelId: string;
  roleId: string;
  hasEvents: boolean;
  hasThreads: boolean;
}

interface MissionsPanelProps {
  guild: GuildDetailDto;
  /** true when Discord is not configured: then that is the cause, and no permission of the bot */
  isOff: boolean;
}

/** Panel for what a server shows of missions: the channel of their cards, the mentioned role, scheduled events, threads. */
export function MissionsPanel({ guild, isOff }: MissionsPanelProps) {
  const utils = trpc.useUtils();
  const { missions, roles } = guild;
  const [changes, setChanges] = useState<Partial<Choices>>({});
  const save = trpc.discord.setMissions.useMutation({
    onSuccess: async (saved) => {
      utils.discord.guild.setData({ guildId: guild.id }, saved);
      setChanges({});
      await utils.discord.invalidate();
    },
  });
  const choices = {
    channelId: missions.channelId ?? '',
    roleId: missions.roleId ?? '',
    hasEvents: missions.hasEvents,
    hasThreads: missions.hasThreads,
    ...changes,
  };
  const change = (next: Partial<Choices>) => {
    save.reset();
    setChanges({ ...changes, ...next });
  };
  const isChanged =
    choices.channelId !== (missions.channelId ?? '') ||
    choices.roleId !== (missions.roleId ?? '') ||
    choices.hasEvents !== missions.hasEvents ||
    choices.hasThreads !== missions.hasThreads;
  // The chosen one is offered even if the bot can no longer post there, so that the form shows what is saved.
  const channels = [
    ...guild.channels.filter(({ id }) => id === missions.channelId),
    ...postableChannels(guild).filter(({ id, isNsfw }) => !isNsfw && id !== missions.channelId),
  ];
  return (
    <Panel title={guildCopy.missions}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({
            guildId: guild.id,
            channelId: choices.channelId === '' ? null : choices.channelId,
            roleId: choices.roleId === '' ? null : choices.roleId,
            hasEvents: choices.hasEvents,
            hasThreads: choices.hasThreads,
          });
        }}
      >
        <FormError message={save.error && failureOf(save.error, copy.unknownError)} />
        <p className={classes.hint}>{guildCopy.missionsHint}</p>
        <div className={classes.fields}>
          <NativeSelect
            label="Missions channel"
            value={choices.channelId}
            onChange={(event) => change({ channelId: event.currentTarget.value })}
            data={[
              { value: '', label: guildCopy.missionsNoChannel },
              ...channels.map(({ id, name }) => ({ value: id, label: `#${name}` })),
            ]}
          />
          <NativeSelect
            label={guildCopy.missionsRole}
            description={guildCopy.missionsRoleHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={choices.roleId}
            onChange={(event) => change({ roleId: event.currentTarget.value })}
            data={[
              { value: '', label: guildCopy.missionsNobody },
              ...roles.map(({ id, name }) => ({ value: id, label: `@${name}` })),
            ]}
          />
        </div>
        <Choice
          label={guildCopy.missionsEvents}
          meaning={missions.canCreateEvents || isOff ? guildCopy.missionsEventsMeaning : guildCopy.missionsNoEvents}
          checked={choices.hasEvents}
          onChange={(hasEvents) => change({ hasEvents })}
        />
        <Choice
          label={guildCopy.missionsThreads}
          meaning={missions.canCreateThreads || isOff ? guildCopy.missionsThreadsMeaning : guildCopy.missionsNoThreads}
          checked={choices.hasThreads}
          onChange={(hasThreads) => change({ hasThreads })}
        />
        <div className={classes.end}>
          <Button type="submit" disabled={!isChanged || save.isPending}>
            {save.isPending ? guildCopy.missionsSaving : guildCopy.missionsSave}
          </Button>
          <output className={classes.done} hidden={!save.isSuccess}>
            {save.isSuccess && (
              <>
                <IconCircleCheck size={20} aria-hidden="true" />
                {guildCopy.missionsSaved}
              </>
            )}
          </output>
        </div>
      </form>
    </Panel>
  );
}
