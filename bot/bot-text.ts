/** Problems that admins read about the bot, on the site and in its log. */
export const adminSentences = {
  tokenRefused:
    "Discord refuses the token. Copy a new one from the Bot page of your application in Discord's developer portal into DISCORD_TOKEN, and start again.",
  discordAway: 'Discord cannot be reached.',
  membersIntentOff:
    'Discord does not let the bot see members. Switch on "Server Members Intent" on the Bot page of your application in Discord\'s developer portal, and start again.',
  membersNotFetched: 'Discord did not send the list of members.',
} as const;
