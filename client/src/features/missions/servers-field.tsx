/** The Discord servers that show a mission, for communities with several of them. */
import { Choice } from '#client/components/choice.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { POLL_MS } from '#shared/limits.ts';
import { count } from '#shared/plural.ts';
import classes from './briefing-fields.module.css';

interface ServersFieldProps {
  /** null for all servers, also those that are set up later */
  guildIds: readonly string[] | null;
  onChange: (guildIds: readonly string[] | null) => void;
  className?: string | undefined;
}

export function ServersField({ guildIds, onChange, className }: ServersFieldProps) {
  const guilds = trpc.discord.guilds.useQuery(undefined, { staleTime: POLL_MS.inbox });
  const offered = (guilds.data ?? []).filter(({ id, showsMissions }) => showsMissions || guildIds?.includes(id));
  if (guildIds === null && offered.length < 2) return null;
  const isChosen = (id: string): boolean => guildIds === null || guildIds.includes(id);
  const choose = (changed: string, isOn: boolean): void => {
    const chosen = offered.map(({ id }) => id).filter((id) => (id === changed ? isOn : isChosen(id)));
    onChange(chosen.length === offered.length ? null : chosen.toSorted());
  };
  return (
    <fieldset className={`${classes.servers} ${className ?? ''}`}>
      <legend>Discord servers</legend>
      <p className={classes.hint}>
        {guildIds === null
          ? 'All of them show the mission, including servers that are set up later.'
          : guildIds.length === 0
            ? 'No server shows the mission.'
            : 'Only these show the mission.'}
      </p>
      {offered.map(({ id, name, registeredMemberCount }) => (
        <Choice
          key={id}
          label={name}
          meaning={count(registeredMemberCount, 'registered pilot')}
          checked={isChosen(id)}
          onChange={(isOn) => choose(id, isOn)}
        />
      ))}
    </fieldset>
  );
}
