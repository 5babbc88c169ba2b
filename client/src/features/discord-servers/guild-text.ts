import type { GuildDto } from '#shared/schemas/discord.ts';

/** Sentences of the Discord server pages; the specification fixes some of them. */
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
    'Posts a message with a button that members use to register. It never contains a personal link. Clicking twice posts it once.',
  missions: 'Missions in this Server',
  missionsHint:
    'Every published mission gets one message in this channel. It shows who sits where, has buttons to take a seat or drop out, and stays up to date.',
  missionsNoChannel: 'No channel',
  missionsNobody: 'Nobody',
  missionsRole: 'Mention with each new mission',
  missionsRoleHint: 'Discord notifies the role only if everyone may mention it.',
  missionsEvents: "Show missions among this server's events",
  missionsEventsMeaning:
    'Members see each mission with its time in the list of events, and can be reminded by Discord.',
  missionsNoEvents: 'The bot needs the permission Create Events for this.',
  missionsThreads: 'Start a thread for each mission',
  missionsThreadsMeaning:
    'On its card, with the pilots who have a seat; archived a day after the end. Missions with both sides get none, since everybody in the channel can read it.',
  missionsNoThreads:
    'The bot needs the permissions Create Public Threads and Send Messages in Threads for this, and Manage Threads to remove pilots who leave.',
  missionsSave: 'Save Missions',
  missionsSaving: 'Saving...',
  missionsSaved: 'Saved. Missions that are already posted stay where they are.',
  acceptance: 'Accept this Server',
  pendingText:
    'Anybody who has the install link can add the bot to a server. Until you accept this one, it gets no missions, nobody can register from it, and its members are not read. Commands there only say that it waits.',
  accept: 'Accept server',
  accepting: 'Accepting...',
  accepted: 'Server accepted. Choose below where it shows missions.',
  leave: 'Leave this server',
  leaving: 'Leaving...',
  leaveTitle: 'Leave this server?',
  leaveConfirm: 'Leave',
  leaveText:
    'The bot leaves the server, and what it has posted there stays. If the server installs the bot again, it waits until you accept it.',
  notAnnounced: 'Not announced in this server yet.',
  sendAgain: 'Send again',
  sendAgainTitle: 'Send the announcement again?',
  sendAgainText:
    "Discord didn't confirm whether the last one was posted, and it is too late to find out. If it was, there will be two posts. Check the channel first.",
  howToConfigure:
    'Set DISCORD_TOKEN and DISCORD_CLIENT_ID and restart Marshal; “Discord” in the README says where to get them.',
  asLastSeen: "You're seeing saved data.",
  intentOff: 'Members intent is off:',
  howToSeeMembers: 'Switch on “Server Members Intent” for the bot in Discord’s developer portal and restart Marshal.',
  noMembers: 'No members known yet',
  noMembersHint: 'The bot loads them when it connects to this server.',
  membersOffHint: 'The bot loads them once Discord is configured.',
  membersPending: 'Not read yet',
  membersPendingHint: 'The bot reads the members once you accept this server.',
  membersHidden: 'No members to show',
  membersHiddenHint: "Members intent is off, so Discord doesn't say who is in this server.",
  noMatch: 'No member matches',
  noChannels: 'No channels known yet',
  noEvents: 'No events yet',
} as const;

/** The status that a badge shows: `pending` for a server with the bot that no admin has accepted. */
export const shownStatus = ({ status, acceptedAt }: Pick<GuildDto, 'status' | 'acceptedAt'>): string =>
  status === 'active' && acceptedAt === null ? 'pending' : status;

/** Notes about a server's status that explain saved data. */
export const STATUS_NOTES: Partial<Record<string, string>> = {
  disabled: "The bot is no longer in this server. You're seeing saved data.",
  unavailable: "Discord reports an outage of this server. You're seeing saved data.",
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
