import { useState } from 'react';
import classes from './guild-icon.module.css';

interface GuildIconProps {
  guild: { name: string; iconUrl: string | null };
  /** width and height, px */
  size?: number;
}

/** Icon of a Discord server, or its initial without one. Decorative: the caller shows the name. */
export function GuildIcon({ guild: { name, iconUrl }, size = 40 }: GuildIconProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const shared = { className: classes.icon, style: { width: size, height: size, fontSize: size * 0.45 } };
  return iconUrl === null || broken === iconUrl ? (
    <span {...shared} aria-hidden="true">
      {Array.from(name)[0]?.toUpperCase()}
    </span>
  ) : (
    <img {...shared} src={iconUrl} alt="" width={size} height={size} onError={() => setBroken(iconUrl)} />
  );
}
