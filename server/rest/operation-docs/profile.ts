/** Documentation of the calls for a pilot's profile, status, aircraft, notification choices and Discord link. */
import type { OperationDocs, ProcedureName } from './docs.ts';

type Fact =
  | 'status'
  | 'setStatus'
  | 'standing'
  | 'missionOutcomes'
  | 'proficiencies'
  | 'setProficiency'
  | 'removeProficiency';
type Choice = 'notifications' | 'setNotifications' | 'discord' | 'setDiscord' | 'unlinkDiscord';
type Name = Extract<ProcedureName, `pilot.${'user' | 'updateProfile' | 'stats' | Fact | Choice}`>;

export const PROFILE_DOCS = {
  'pilot.user': {
    id: 'getUser',
    tag: 'Profile',
    summary: 'Get an account',
    refusals: ['USER_NOT_FOUND'],
  },
  'pilot.updateProfile': {
    id: 'updateProfile',
    tag: 'Profile',
    summary: 'Change call sign and time zone',
    description:
      'With `seen`, a value that was changed elsewhere meanwhile is kept, and refused if the request changes it too.',
    answer: 'The account, with the call signs of other pilots that look like its own.',
    refusals: ['USER_NOT_FOUND', 'CHANGED'],
  },
  'pilot.status': {
    id: 'getStatus',
    tag: 'Profile',
    summary: "Get a pilot's status",
    description: 'A pilot who has never set a status is `available`.',
    refusals: ['USER_NOT_FOUND'],
  },
  'pilot.setStatus': {
    id: 'setStatus',
    tag: 'Profile',
    summary: "Set a pilot's status",
    description:
      '`now` needs `minutes` and ends by itself after them. `dnd` ends after 24 hours. Both fall back to `available`. The change may fill open seats.',
    refusals: ['USER_NOT_FOUND', 'ON_LEAVE'],
  },
  'pilot.standing': {
    id: 'getTrackRecord',
    tag: 'Profile',
    summary: "Get a pilot's track record",
    description: 'Reliability, attendance and fairness. Only the pilot and admins can read it.',
    refusals: ['USER_NOT_FOUND'],
  },
  'pilot.missionOutcomes': {
    id: 'listMissionOutcomes',
    tag: 'Profile',
    summary: "List what became of a pilot's missions",
    description:
      'Of the last 90 days: flown, missed, declined, on standby. Practice and cancelled missions are left out. Only the pilot and admins can read it.',
    refusals: ['USER_NOT_FOUND'],
  },
  'pilot.proficiencies': {
    id: 'listProficiencies',
    tag: 'Profile',
    summary: "List a pilot's aircraft",
    description: 'Aircraft that the pilot flies, with the level in each.',
    answer: 'Aircraft and levels, by the name of the aircraft.',
    refusals: ['USER_NOT_FOUND'],
  },
  'pilot.setProficiency': {
    id: 'setProficiency',
    tag: 'Profile',
    summary: 'Set the level in an aircraft',
    description:
      'Adds the aircraft, or changes its level. A level set by an admin can only be changed by admins. The change may fill open seats.',
    refusals: ['USER_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'LEVEL_SET_BY_ADMIN'],
  },
  'pilot.removeProficiency': {
    id: 'removeProficiency',
    tag: 'Profile',
    summary: 'Remove an aircraft',
    description: 'Succeeds also when the pilot does not have the aircraft.',
    refusals: ['USER_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'LEVEL_SET_BY_ADMIN'],
  },
  'pilot.notifications': {
    id: 'getNotificationChoices',
    tag: 'Profile',
    summary: 'Get notification choices',
    refusals: ['USER_NOT_FOUND'],
  },
  'pilot.setNotifications': {
    id: 'setNotificationChoices',
    tag: 'Profile',
    summary: 'Set notification choices',
    refusals: ['USER_NOT_FOUND'],
  },
  'pilot.discord': {
    id: 'getDiscordLink',
    tag: 'Profile',
    summary: 'Get the linked Discord account',
    refusals: ['USER_NOT_FOUND'],
  },
  'pilot.setDiscord': {
    id: 'setDiscordChoices',
    tag: 'Profile',
    summary: 'Choose whether Discord sends frag orders',
    refusals: ['USER_NOT_FOUND', 'DISCORD_NOT_LINKED'],
  },
  'pilot.unlinkDiscord': {
    id: 'unlinkDiscord',
    tag: 'Profile',
    summary: 'Unlink the Discord account',
    description: 'Refused for an account without a password, which could no longer sign in.',
    refusals: ['USER_NOT_FOUND', 'PASSWORD_REQUIRED'],
  },
  'pilot.stats': {
    id: 'getStats',
    tag: 'Reference',
    summary: 'Get the public figures',
    description: 'Figures of the landing page.',
  },
} as const satisfies Record<Name, OperationDocs>;
