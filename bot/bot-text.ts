/** Problems that admins read about the bot, on the site and in its log. */
export const adminSentences = {
  tokenRefused:
    "Discord refuses the token. Copy a new one from the Bot page of your application in Discord's developer portal into DISCORD_TOKEN, and start again.",
  discordAway: 'Discord cannot be reached.',
  shardsAway: (away: number, all: number) =>
    `${away} of ${all} connections to Discord ${away === 1 ? 'is' : 'are'} down. Until the bot has reconnected, commands and buttons do nothing in the servers on ${away === 1 ? 'it' : 'them'}.`,
  membersIntentOff:
    'Discord does not let the bot see members. Switch on "Server Members Intent" on the Bot page of your application in Discord\'s developer portal, and start again.',
  membersNotFetched: 'Discord did not send the list of members.',
} as const;
