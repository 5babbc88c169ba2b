/** Presences and the attendance proposed from them: closed lists and limits. */

/** The proof that a name in the game is a pilot's. */
export const GAME_NAME_PROOFS = ['admin'] as const;
export type GameNameProof = (typeof GAME_NAME_PROOFS)[number];

/** Where it is known from who was aboard. */
export const PRESENCE_SOURCES = ['tacview'] as const;
export type PresenceSource = (typeof PRESENCE_SOURCES)[number];

/** Verdicts of presences on an order: long enough in the ordered side and aircraft, or only elsewhere. */
export const PROPOSAL_VERDICTS = ['flew', 'other_seat'] as const;
export type ProposalVerdict = (typeof PROPOSAL_VERDICTS)[number];

export const PROPOSAL_STATES = ['open', 'confirmed', 'dismissed'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** Entries of the audit log about proposals and names in the game. */
export const PROPOSAL_ACTIONS = [
  'attendance_proposed',
  'attendance_dismissed',
  'game_name_set',
  'game_name_removed',
] as const;

/**
 * Recordings of a mission by Tacview: the file, the text in it, a line, the objects at one time, the times aboard that one
 * can have, and those that all of a mission's can have together.
 */
export const RECORDING = {
  bytes: 100 * 1024 * 1024,
  textBytes: 300 * 1024 * 1024,
  lineLength: 1024 * 1024,
  objectsMax: 20_000,
  timesMax: 20_000,
  jumpsMax: 10_000,
  /** without a frame for longer, nothing is known about the time between */
  gapSeconds: 60,
  presencesMax: 50_000,
  nameLength: 120,
} as const;
/** A pilot who was aboard for this long between this time before launch and the end of the mission has flown it. */
export const FLOWN = { minutes: 20, minutesBeforeLaunch: 30 } as const;
