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
    'Posts a message with a button by which members register. It waits in the queue until the bot is connected, and clicking twice posts it once.',
  noMembers: 'No members known yet',
  noMembersHint: 'The bot reads them when it is connected to this server.',
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
