/** Sentences of the bot: replies for when the server does not answer, and problems that admins read about the bot. */

/** Replies to people in Discord that do not come from the server. */
export const sentences = {
  serverAway: 'Marshal cannot be reached right now. Please try again in a minute.',
  failed: 'Something went wrong. Please try again; if it happens again, tell an admin.',
  unknownButton: 'This button is from another version of Marshal. Please use the commands: /help lists them.',
  unknownCommand: 'This command is from another version of Marshal. /help lists the current ones.',
  minutesRequired: 'For how long? Add minutes, e.g. 60.',
  orderNotFound: 'That order is gone or not yours.',
} as const;

/** Problems of the bot, for admins. */
export const adminSentences = {
  tokenRefused:
    "Discord refuses the token. Copy a new one from the Bot page of your application in Discord's developer portal into DISCORD_TOKEN, and start again.",
  discordAway: 'Discord cannot be reached.',
  membersIntentOff:
    'Discord does not let the bot see members. Switch on "Server Members Intent" on the Bot page of your application in Discord\'s developer portal, and start again.',
  membersNotFetched: 'Discord did not send the list of members.',
} as const;
