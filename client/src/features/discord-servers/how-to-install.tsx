import classes from './how-to-install.module.css';

/** Instructions for installing the bot in a Discord server. @param isReady the page shows the install link */
export function HowToInstall({ isReady }: { isReady: boolean }) {
  return (
    <details className={classes.how}>
      <summary className={isReady ? classes.quiet : classes.summary}>How to install</summary>
      <ol className={classes.steps}>
        {!isReady && (
          <>
            <li>In Discord’s developer portal, create an application with a bot.</li>
            <li>
              Start Marshal with its ID as <code className={classes.code}>DISCORD_CLIENT_ID</code> and the bot’s token
              as <code className={classes.code}>DISCORD_TOKEN</code>. “Discord” in the README has every step.
            </li>
          </>
        )}
        <li>Follow “Add to a server”{!isReady && ', which this page shows then'}.</li>
        <li>Choose the server. You need the Manage Server permission there.</li>
        <li>
          The server shows up here a moment later. Open it and accept it: until then it gets nothing from Marshal.
        </li>
      </ol>
    </details>
  );
}
