import { CopyButton } from '#client/components/copy-button.tsx';
import classes from './discord-id.module.css';

/** Discord's number of a server or a member, to copy. @param name of whom it is */
export function DiscordId({ id, name }: { id: string; name: string }) {
  return (
    <span className={classes.id}>
      {id}
      <CopyButton text={id} label={`Copy the ID of ${name}`} copiedLabel="ID copied" />
    </span>
  );
}
