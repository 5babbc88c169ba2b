import { CopyButton } from '#client/components/copy-button.tsx';
import classes from './discord-id.module.css';

/** Discord id of a server or member with a copy button. @param name owner of the id */
export function DiscordId({ id, name }: { id: string; name: string }) {
  return (
    <span className={classes.id}>
      {id}
      <CopyButton text={id} label={`Copy the ID of ${name}`} copiedLabel="ID copied" />
    </span>
  );
}
