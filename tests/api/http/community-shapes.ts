/** Shapes of the answers about accounts and the community. */

export const USER = {
  id: 'text',
  email: 'text',
  displayName: 'text?',
  timeZone: 'text',
  roles: ['text'],
  approval: 'text?',
  createdAt: 'instant',
} as const;
/** An account that is no pilot yet. */
const NEWCOMER = { ...USER, roles: ['text', 'or none'] } as const;

const INVITE = {
  id: 'text',
  name: 'text',
  url: 'text',
  state: 'text',
  role: 'text',
  withApproval: 'flag',
  maxUses: 'number?',
  uses: 'number',
  expiresAt: 'instant?',
  timeZone: 'text?',
  aircraftIds: ['number', 'or none'],
  createdBy: 'text?',
  createdAt: 'instant',
} as const;

export const COMMUNITY_SHAPES = {
  user: USER,
  comparedUser: { ...USER, looksLike: ['text', 'or none'] },
  community: { name: 'text?', registration: 'text' },
  start: {
    isShown: 'flag',
    hasName: 'flag',
    hasCallSign: 'flag',
    hasInvited: 'flag',
    hasServer: 'flag',
    hasMission: 'flag',
    practice: 'text?',
    pilots: 'number',
    withTimes: 'number',
  },
  messages: {
    recipients: 'number',
    byDiscord: 'number',
    byPush: 'number',
    left: 'number',
    messages: [{ id: 'text', text: 'text', sentBy: 'text?', sentAt: 'instant', recipients: 'number' }],
  },
  invite: INVITE,
  invites: [INVITE],
  invited: [{ user: NEWCOMER, joinedAt: 'instant' }],
  waiting: {
    accounts: [{ user: NEWCOMER, since: 'instant', invite: 'text?', becomesAdmin: 'flag' }],
    waiting: 'number',
  },
  requests: {
    requests: [
      {
        id: 'text',
        handle: 'text',
        email: 'text',
        module: 'text',
        level: 'text',
        slot: 'text',
        notes: 'text?',
        createdAt: 'instant',
        invitedAt: 'instant?',
      },
    ],
    waiting: 'number',
  },
  decided: { decided: 'number' },
  registration: {
    community: 'text?',
    mode: 'text',
    invite: { problem: 'text?', invitedBy: 'text?', needsApproval: 'flag' },
    preview: [
      { pilots: 'number', next: { name: 'text', theater: 'text', startUtc: 'instant', openSeats: 'number' } },
      'or null',
    ],
  },
} as const;
