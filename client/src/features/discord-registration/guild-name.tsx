import { GuildIcon } from '#client/domain-ui/guild-icon.tsx';
import classes from './guild-name.module.css';

interface GuildNameProps {
  guild: { name: string; iconUrl: string | null };
}

/** A Discord server's icon or initial, and its name. */
export function GuildName({ guild }: GuildNameProps) {
  return (
    <span className={classes.guild}>
      <GuildIcon guild={guild} />
      <strong className={classes.name}>{guild.name}</strong>
    </span>
  );
}
