import type { ReactNode } from 'react';
import type { GuildDetailDto } from '#shared/schemas/discord.ts';
import { MemberCount } from './member-count.tsx';
import { postableChannels } from './postable-channels.ts';
import classes from './guild-tiles.module.css';

interface GuildTilesProps {
  guild: GuildDetailDto;
  isMembersHidden: boolean;
  isOff: boolean;
}

/**
 * Tiles with a server's counts: members, registered members, opt-ins, postable channels.
 * @param isMembersHidden the members intent is off, or the server waits for an admin, so a count of 0 means unknown
 * @param isOff Discord is not configured: nothing can be posted, so a count of channels would say the opposite
 */
export function GuildTiles({ guild, isMembersHidden, isOff }: GuildTilesProps) {
  const { memberCount, registeredMembers, globalEventOptIns } = guild;
  const known = (count: number): number | null => (isMembersHidden && count === 0 ? null : count);
  const share = !memberCount || isMembersHidden ? null : Math.min(1, registeredMembers / memberCount);
  return (
    <dl className={classes.tiles}>
      <Tile label="Total members">
        <MemberCount count={memberCount} />
      </Tile>
      <Tile label="Registered members" aside={share !== null && <Share share={share} />}>
        <MemberCount count={known(registeredMembers)} />
      </Tile>
      <Tile label="Global event opt-ins">
        <MemberCount count={known(globalEventOptIns)} />
      </Tile>
      <Tile label="Postable channels">
        <MemberCount count={isOff ? null : postableChannels(guild).length} />
      </Tile>
    </dl>
  );
}

interface TileProps {
  label: string;
  /** beside the number */
  aside?: ReactNode;
  children: ReactNode;
}

function Tile({ label, aside, children }: TileProps) {
  return (
    <div className={classes.tile}>
      <dt>{label}</dt>
      <dd>
        <span className={classes.number}>{children}</span>
        {aside}
      </dd>
    </div>
  );
}

/** Bar with a percentage. @param share 0 to 1 */
function Share({ share }: { share: number }) {
  const percent = Math.round(share * 100);
  return (
    <span className={classes.share}>
      <span className={classes.bar} aria-hidden="true">
        <span style={{ width: `${percent}%` }} />
      </span>
      {percent} %
    </span>
  );
}
