/** Shapes of the answers under /discord. */

const GUILD = {
  id: 'text',
  name: 'text',
  iconUrl: 'text?',
  status: 'text',
  memberCount: 'number?',
  registeredMemberCount: 'number',
  globalEventOptIns: 'number',
  installedAt: 'instant',
  acceptedAt: 'instant?',
  lastSeenAt: 'instant',
  defaultSplashChannelId: 'text?',
  showsMissions: 'flag',
} as const;

export const DISCORD_SHAPES = {
  bot: {
    isConfigured: 'flag',
    state: 'text',
    since: 'instant?',
    hasMembersIntent: 'flag?',
    botName: 'text?',
    problem: 'text?',
    installUrl: 'text?',
  },
  guilds: [GUILD],
  guild: {
    ...GUILD,
    registeredMembers: 'number',
    members: [
      {
        discordUserId: 'text',
        discordUsername: 'text',
        isModerator: 'flag',
        isRegistered: 'flag',
        fightClubUserId: 'text?',
        wantsGlobalEvents: 'flag',
        joinedAt: 'instant?',
        updatedAt: 'instant',
      },
    ],
    channels: [
      {
        id: 'text',
        name: 'text',
        type: 'text',
        topic: 'text?',
        isNsfw: 'flag',
        isPostable: 'flag',
        canSendMessages: 'flag',
        canEmbedLinks: 'flag',
        lastUpdated: 'instant',
      },
    ],
    recentEvents: [{ id: 'text', eventType: 'text', eventData: 'text?', errorMessage: 'text?', occurredAt: 'instant' }],
    announcement: {
      state: 'text',
      channelId: 'text?',
      channelName: 'text?',
      errorMessage: 'text?',
      updatedAt: 'instant',
    },
    missions: {
      channelId: 'text?',
      roleId: 'text?',
      hasEvents: 'flag',
      canCreateEvents: 'flag',
      hasThreads: 'flag',
      canCreateThreads: 'flag',
    },
    roles: [{ id: 'text', name: 'text' }],
  },
  resent: { success: 'flag', errorMessage: 'text?' },
} as const;
