/** Sentences of the Discord servers' screens; those the specification words stand as it words them. */
export const guildCopy = {
  loadingGuilds: 'Loading guilds...',
  noGuilds: 'No Guilds Found',
  noGuildsHint: 'A Discord server shows up here once the bot is installed in it.',
  loadingGuild: 'Loading guild details...',
  unknownMembers: 'Unknown',
  noPostable: 'No postable channels available. Registration cannot be sent.',
  resend: 'Resend Registration',
  sending: 'Sending...',
  resendHint:
    'Posts a message with a button by which members register, never with anybody’s personal link. Clicking twice posts it once.',
  notAnnounced: 'Not announced in this server yet.',
  sendAgain: 'Send again',
  sendAgainTitle: 'Send the announcement again?',
  sendAgainText:
    'Discord did not say whether the last one was posted, and cannot be asked any more. If it was, there will be two posts. Look into the channel first.',
  howToConfigure:
    'What stands here was stored before. Set DISCORD_TOKEN and DISCORD_CLIENT_ID and start Marshal again; “Discord” in the README says where to get them.',
  asLastSeen: 'What stands here is what it last saw.',
  intentOff: 'Members intent is off:',
  howToSeeMembers:
    'Switch on “Server Members Intent” of the bot in Discord’s developer portal and start Marshal again.',
  noMembers: 'No members known yet',
  noMembersHint: 'The bot reads them when it is connected to this server.',
  membersHidden: 'Nobody known',
  membersHiddenHint: 'Members intent is off: Discord does not tell who is in this server.',
  noMatch: 'No member matches',
  noChannels: 'No channels known yet',
  noEvents: 'No events yet',
} as const;

/** What Discord does to a server, for whoever reads old data. */
export const STATUS_NOTES: Partial<Record<string, string>> = {
  disabled: 'This server has removed the bot. What stands here is what it last saw.',
  unavailable: 'Discord reports an outage of this server. What stands here is what the bot last saw.',
};

export function fetchFailure(status: number): string {
  return `Failed to fetch guild details: ${status}`;
}

export function sendFailure(status: number, body: string): string {
  return `Failed to send registration: ${status} - ${body}`;
}

export function queuedSentence(channelName: string): string {
  return `Registration announcement queued for #${channelName}.`;
}

export function sentSentence(channelName: string): string {
  return `Registration announcement sent to #${channelName}.`;
}
