import classes from './how-to-install.module.css';

/** View Channel, Send Messages, Embed Links, Read Message History, Create Events, Send Messages in Threads. */
const PERMISSIONS = '17867064036352';
const INVITE_LINK = `https://discord.com/oauth2/authorize?client_id=APPLICATION_ID&scope=bot+applications.commands&permissions=${PERMISSIONS}`;

/** The way of the bot into a Discord server. */
export function HowToInstall() {
  return (
    <details className={classes.how}>
      <summary className={classes.summary}>How to install</summary>
      <ol className={classes.steps}>
        <li>In Discord’s developer portal, make an application with a bot and copy its application ID.</li>
        <li>
          Open this link with the ID in place of APPLICATION_ID: <code className={classes.link}>{INVITE_LINK}</code>
        </li>
        <li>Choose the server. You need its permission Manage Server.</li>
        <li>Whoever runs Marshal connects the bot; the server shows up here a moment later.</li>
      </ol>
    </details>
  );
}
