/** Documentation of the calls for the community: settings, invites, visitors' requests, waiting accounts. */
import type { OperationDocs, ProcedureName } from './docs.ts';

export const COMMUNITY_DOCS = {
  'admin.community.get': {
    id: 'getCommunity',
    tag: 'Community',
    summary: "Get the community's settings",
  },
  'admin.community.update': {
    id: 'updateCommunity',
    tag: 'Community',
    summary: "Change the community's settings",
    description: 'Accounts that already wait for approval keep waiting when registration is opened.',
  },
  'admin.community.start': {
    id: 'getGuidedStart',
    tag: 'Community',
    summary: 'Get the guided start',
    description: 'Each step follows from what the community has.',
  },
  'admin.community.dismissStart': {
    id: 'dismissGuidedStart',
    tag: 'Community',
    summary: 'Put the guided start away',
    description: 'For all admins.',
  },
  'admin.community.invites': {
    id: 'listInvites',
    tag: 'Community',
    summary: 'List invites',
    answer: 'Invites with their links, the newest first.',
  },
  'admin.community.createInvite': {
    id: 'createInvite',
    tag: 'Community',
    summary: 'Make an invite',
    description:
      'People who open the link can register, also where registration is by invite. An installation can have 100 open invites. With a request it answers that: the request stays until its address has an account.',
    refusals: ['LIMIT_REACHED', 'AIRCRAFT_NOT_FOUND', 'REQUEST_NOT_FOUND'],
  },
  'admin.community.revokeInvite': {
    id: 'revokeInvite',
    tag: 'Community',
    summary: 'Revoke an invite',
    description: 'Its link stops working at once. The accounts that came by it stay.',
    refusals: ['INVITE_NOT_FOUND'],
  },
  'admin.community.invited': {
    id: 'listInvitedAccounts',
    tag: 'Community',
    summary: 'List the accounts that joined by an invite',
    answer: 'Accounts, the newest first.',
    refusals: ['INVITE_NOT_FOUND'],
  },
  'admin.community.requests': {
    id: 'listSlotRequests',
    tag: 'Community',
    summary: "List visitors' requests for a slot",
    description: 'They come from the form on the front page. One is closed by an account with its address.',
  },
  'admin.community.dismissRequest': {
    id: 'dismissSlotRequest',
    tag: 'Community',
    summary: "Dismiss a visitor's request",
    description: 'Deletes it. The visitor is not told.',
    refusals: ['REQUEST_NOT_FOUND'],
  },
  'admin.community.waiting': {
    id: 'listWaitingAccounts',
    tag: 'Community',
    summary: 'List the accounts that wait for approval',
  },
  'admin.community.messages': {
    id: 'listCommunityMessages',
    tag: 'Community',
    summary: 'List the messages to pilots who want community news',
    description: 'With the number of pilots whom a message would reach now.',
  },
  'admin.community.sendMessage': {
    id: 'sendCommunityMessage',
    tag: 'Community',
    summary: 'Send a message to pilots who want community news',
    description:
      'By direct message in Discord and by notification, once to each pilot. At most 3 within 24 hours. Do Not Disturb holds it back.',
    answer: 'As the list, with the new message.',
    refusals: ['LIMIT_REACHED'],
  },
  'admin.community.decide': {
    id: 'decideWaitingAccounts',
    tag: 'Community',
    summary: 'Approve or decline accounts',
    description:
      'An approved account becomes a pilot, and an admin if its invite makes admins and `admins` names it. A declined one is deleted after 30 days, and can be approved until then.',
    refusals: ['BANNED', 'DELETION_REQUESTED', 'USER_NOT_FOUND', 'ADMIN_UNCONFIRMED', 'CHANGED'],
  },
} as const satisfies Record<Extract<ProcedureName, `admin.community.${string}`>, OperationDocs>;
