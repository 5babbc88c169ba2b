import { useState } from 'react';
import classes from './guild-name.module.css';

interface GuildNameProps {
  guild: { name: string; iconUrl: string | null };
}

/** A Discord server's icon, or its initial when there is none or it does not load, and its name. */
export function GuildName({ guild: { name, iconUrl } }: GuildNameProps) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span className={classes.guild}>
      {iconUrl === null || isBroken ? (
        <span className={classes.initial} aria-hidden="true">
          {Array.from(name)[0]?.toUpperCase()}
        </span>
      ) : (
        <img className={classes.icon} src={iconUrl} alt="" width={40} height={40} onError={() => setBroken(true)} />
      )}
      <strong className={classes.name}>{name}</strong>
    </span>
  );
}
