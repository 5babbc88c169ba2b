import { avatarLook } from './avatar-look.ts';
import classes from './avatar.module.css';

interface AvatarProps {
  /** the call sign, which stands beside it */
  name: string;
}

/**
 * A pilot's initials on a colour of their own. It is no text of the page: screen readers, copies and prints have the call sign
 * beside it.
 */
export function Avatar({ name }: AvatarProps) {
  const { initials, hue } = avatarLook(name);
  const properties: Record<string, number> = { '--hue': hue };
  return <span className={classes.face} style={properties} data-initials={initials} aria-hidden="true" />;
}
