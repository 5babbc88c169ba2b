/** Documentation of the pilot's calls for frag orders, seats, swaps, notices, push and the calendar. */
import type { OperationDocs, ProcedureName } from './docs.ts';

type Orders = 'inbox' | 'inboxStatus' | 'accepted' | 'order' | 'rsvp' | 'notices' | 'closeNotice';
type Name = Extract<
  ProcedureName,
  `pilot.${Orders}` | `pilot.${'seats' | 'swaps' | 'push'}.${string}` | `calendar.${string}`
>;

export const ORDER_DOCS = {
  'pilot.inbox': {
    id: 'listInbox',
    tag: 'Inbox',
    summary: "List one's own frag orders",
    description:
      'Orders that wait for an answer or whose mission has not ended; with `includeCompleted` also those of the last 30 days. With a session, marks the inbox as read.',
    answer: 'Frag orders.',
  },
  'pilot.inboxStatus': {
    id: 'getInboxStatus',
    tag: 'Inbox',
    summary: 'Check for new frag orders',
    description: 'A small answer for polling.',
  },
  'pilot.accepted': {
    id: 'listAccepted',
    tag: 'Inbox',
    summary: "List one's own accepted missions",
    description: 'Accepted orders of missions that have not ended, each with its briefing.',
    answer: 'Accepted missions, the soonest first.',
  },
  'pilot.order': {
    id: 'getOrder',
    tag: 'Inbox',
    summary: 'Get one frag order with its briefing',
    description: 'In any state. With a session, marks the order as read.',
    refusals: ['ORDER_NOT_FOUND'],
  },
  'pilot.rsvp': {
    id: 'answerOrder',
    tag: 'Inbox',
    summary: 'Answer a frag order',
    description:
      'Accept, stand by or decline. Giving a seat back asks the next pilot. Repeating an answer changes nothing. With `seen`, an acceptance is refused if an admin has changed the order since.',
    answer: 'The order with the answer.',
    refusals: [
      'ORDER_NOT_FOUND',
      'CHANGED',
      'OVERLAP',
      'ON_LEAVE',
      'SEAT_TAKEN',
      'NO_SEAT_FREE',
      'ANSWER_NOT_POSSIBLE',
      'STANDBY_TOO_LATE',
      'MISSION_STARTED',
      'ORDER_EXPIRED',
      'ORDER_CANCELLED',
    ],
  },
  'pilot.seats.openings': {
    id: 'listOpenings',
    tag: 'Seats',
    summary: 'List missions with open seats',
    description: 'Upcoming missions with a seat that the caller may take, and the others with the reason why not.',
  },
  'pilot.seats.take': {
    id: 'takeSeat',
    tag: 'Seats',
    summary: 'Take an open seat',
    description:
      "The seat is accepted at once. The first caller gets it. Pending offers at the same time are declined. The flags let the call change the caller's own data so that the seat fits; all of it happens, or nothing.",
    answer: 'The new order, accepted.',
    refusals: [
      'MISSION_NOT_FOUND',
      'FLIGHT_NOT_FOUND',
      'SEAT_NOT_FOUND',
      'ORDER_NOT_FOUND',
      'MISSION_FINAL',
      'MISSION_STARTED',
      'SEAT_HELD_ALREADY',
      'SEAT_TAKEN',
      'OVERLAP',
      'NOT_ELIGIBLE',
      'LIMIT_REACHED',
    ],
  },
  'pilot.seats.joinStandby': {
    id: 'joinStandby',
    tag: 'Seats',
    summary: 'Join the standby queue of a mission',
    description:
      'For a mission whose seats that fit the caller are all taken. The caller joins the end of the queue, and gets a seat, or an offer of one, when it is free. A pending order is answered with standby. Repeating it keeps the place. The flags are those of taking a seat.',
    answer: 'The order, on standby, with the place in the queue.',
    refusals: [
      'MISSION_NOT_FOUND',
      'MISSION_FINAL',
      'MISSION_STARTED',
      'SEAT_HELD_ALREADY',
      'SEAT_OPEN',
      'OVERLAP',
      'NOT_ELIGIBLE',
      'LIMIT_REACHED',
    ],
  },
  'pilot.seats.leaveStandby': {
    id: 'leaveStandby',
    tag: 'Seats',
    summary: 'Leave the standby queue of a mission',
    description:
      'The order is declined, however the caller came into the queue. Does nothing for a caller who is not in it.',
    refusals: ['MISSION_NOT_FOUND', 'MISSION_STARTED'],
  },
  'pilot.swaps.partners': {
    id: 'listSwapPartners',
    tag: 'Seats',
    summary: 'List seats to swap with',
    answer: 'Accepted seats of the same mission whose pilots could swap with the caller, in board order.',
    refusals: ['ORDER_NOT_FOUND'],
  },
  'pilot.swaps.propose': {
    id: 'proposeSwap',
    tag: 'Seats',
    summary: 'Propose a swap of seats',
    description: 'Asks the other pilot. Nothing changes until that pilot agrees.',
    answer: 'The proposal.',
    refusals: ['ORDER_NOT_FOUND', 'SWAP_NOT_FOUND', 'SWAP_NOT_POSSIBLE', 'SWAP_OPEN_ALREADY', 'LIMIT_REACHED'],
  },
  'pilot.swaps.list': {
    id: 'listSwaps',
    tag: 'Seats',
    summary: 'List open swaps',
    answer: 'Swaps in upcoming missions that await an answer, proposed by or to the caller.',
  },
  'pilot.swaps.answer': {
    id: 'answerSwap',
    tag: 'Seats',
    summary: 'Agree to a swap or decline it',
    description: 'For the pilot who was asked. With `agreed` the two seats are exchanged.',
    answer: 'The swap with the answer.',
    refusals: ['SWAP_NOT_FOUND', 'SWAP_OVER', 'SWAP_NOT_POSSIBLE'],
  },
  'pilot.swaps.withdraw': {
    id: 'withdrawSwap',
    tag: 'Seats',
    summary: "Withdraw one's own proposal",
    refusals: ['SWAP_NOT_FOUND', 'SWAP_OVER'],
  },
  'pilot.notices': {
    id: 'listNotices',
    tag: 'Notifications',
    summary: "List one's own notices",
    description:
      'Orders that ended, and seats assigned from standby, without dismissed notices and those older than a week.',
    answer: 'Notices, the newest first.',
  },
  'pilot.closeNotice': {
    id: 'closeNotice',
    tag: 'Notifications',
    summary: 'Dismiss a notice',
    refusals: ['NOTICE_NOT_FOUND'],
  },
  'pilot.push.key': {
    id: 'getPushKey',
    tag: 'Notifications',
    summary: 'Get the public key for push',
    description: 'A browser needs it to subscribe.',
  },
  'pilot.push.subscriptions': {
    id: 'listPushDevices',
    tag: 'Notifications',
    summary: 'List push devices',
    answer: 'Devices that receive notifications.',
  },
  'pilot.push.subscribe': {
    id: 'addPushDevice',
    tag: 'Notifications',
    summary: 'Send notifications to a device',
    description: "Takes a browser's push subscription. It ends with the session that made it.",
    refusals: ['SUBSCRIPTION_ELSEWHERE', 'LIMIT_REACHED'],
  },
  'pilot.push.unsubscribe': {
    id: 'removePushDevice',
    tag: 'Notifications',
    summary: 'Stop notifications to a device',
    description: 'Suspended pilots may do this, too. Succeeds also when the device is unknown.',
  },
  'pilot.push.test': {
    id: 'testPush',
    tag: 'Notifications',
    summary: "Send a test to one's own devices",
  },
  'calendar.feed': {
    id: 'getCalendarLink',
    tag: 'Notifications',
    summary: 'Get the time of the calendar link',
    description: 'The address itself is shown only once, when it is created.',
  },
  'calendar.renew': {
    id: 'createCalendarLink',
    tag: 'Notifications',
    summary: 'Create a calendar link',
    description: 'Calendars subscribe to it without a sign-in. A link that exists stops to work.',
  },
  'calendar.end': {
    id: 'endCalendarLink',
    tag: 'Notifications',
    summary: 'End the calendar link',
    description: 'Succeeds also when there is none.',
  },
} as const satisfies Record<Name, OperationDocs>;
