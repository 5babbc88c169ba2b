/** Shapes of the answers under /admin, /discord and /stats, and how a value differs from one. */
import { COMMUNITY_SHAPES, USER } from './community-shapes.ts';
import { DISCORD_SHAPES } from './discord-shapes.ts';
import { AIRCRAFT_SHAPES } from './aircraft-operations.ts';
import { WEBHOOK_SHAPES } from './webhook-shapes.ts';
import { MISSION, DETAIL, ASSIGNED, RIVAL } from './mission-shapes.ts';

/** Kinds of single values; `?` after one lets it be null. */
const KINDS = {
  text: (value: unknown) => typeof value === 'string' && value !== '',
  number: (value: unknown) => typeof value === 'number' && Number.isFinite(value),
  flag: (value: unknown) => typeof value === 'boolean',
  /** ISO 8601 in Zulu */
  instant: (value: unknown) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
  date: (value: unknown) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  /** date and wall time without an offset */
  local: (value: unknown) => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(String(value)),
  wall: (value: unknown) => /^\d\d:\d\d$/.test(String(value)),
};
type Kind = keyof typeof KINDS;
/** A list holds one shape, and at least one of it: an empty one would prove nothing. `or none`: it may be empty. `or null`: it may be null. */
export type Shape =
  | Kind
  | `${Kind}?`
  | readonly [Shape]
  | readonly [Shape, 'or none' | 'or null']
  | { readonly [field: string]: Shape };

/** The differences of a value from a shape, a line each; [] for none. Fields that the shape does not name are differences. */
export function differences(shape: Shape, value: unknown, at = ''): string[] {
  if (typeof shape === 'string') {
    const isNullable = shape.endsWith('?');
    const kind = KINDS[shape.replace('?', '') as Kind];
    return (value === null && isNullable) || kind(value) ? [] : [`${at} is no ${shape}: ${JSON.stringify(value)}`];
  }
  if (isList(shape)) {
    if (value === null && shape[1] === 'or null') return [];
    if (!Array.isArray(value)) return [`${at} is no list: ${JSON.stringify(value)}`];
    const [item, orNone] = shape;
    if (value.length === 0 && orNone === undefined) return [`${at} is empty`];
    return value.flatMap((one, index) => differences(item, one, `${at}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [`${at} is no object: ${JSON.stringify(value)}`];
  const found = Object.keys(value);
  const missing = Object.keys(shape).filter((field) => !found.includes(field));
  return [
    ...missing.map((field) => `${at}.${field} is missing`),
    ...found.filter((field) => !(field in shape)).map((field) => `${at}.${field} is nobody's`),
    ...Object.entries(shape)
      .filter(([field]) => found.includes(field))
      .flatMap(([field, inner]) => differences(inner, Reflect.get(value, field), `${at}.${field}`)),
  ];
}

const isList = (shape: Shape): shape is readonly [Shape] | readonly [Shape, 'or none' | 'or null'] =>
  Array.isArray(shape);

/** The fields of an answer that its shape lets be null, and whether they have a value; without the numbers of rows. */
export function nullableFields(shape: Shape, value: unknown, at: string): [path: string, hasValue: boolean][] {
  if (typeof shape === 'string') return shape.endsWith('?') ? [[at, (value ?? null) !== null]] : [];
  if (isList(shape)) {
    const rows: unknown[] = Array.isArray(value) && value.length > 0 ? value : [null];
    return rows.flatMap((row) => nullableFields(shape[0], row, at));
  }
  return Object.entries(shape).flatMap(([field, inner]) =>
    nullableFields(inner, Reflect.get(Object(value), field), `${at}.${field}`),
  );
}

const TURNOUT = {
  missionId: 'text',
  missionName: 'text',
  startUtc: 'instant',
  endUtc: 'instant',
  stage: 'text',
  seats: 'number',
  accepted: 'number',
  pending: 'number',
  enough: 'number',
  expected: 'number',
  probability: 'number',
} as const;

/** Answers as the contract words them, apart from the code. */
export const SHAPES = {
  summary: {
    date: 'date',
    timeZone: 'text',
    missions: 'number',
    flights: 'number',
    pilotsAssigned: 'number',
    awaitingSlots: 'number',
    expectedPilots: 'number',
  },
  week: {
    startDate: 'date',
    timeZone: 'text',
    dailySummaries: [
      {
        dateLocal: 'date',
        dayOfWeek: 'number',
        missions: 'number',
        flights: 'number',
        pilotsAssigned: 'number',
        awaitingSlots: 'number',
      },
    ],
    upcomingLaunches: [{ time: 'instant', flights: 'number', seats: 'number' }],
  },
  online: {
    bucketMinutes: 'number',
    points: [{ startUtc: 'instant', expected: 'number', partial: 'number', committed: 'number' }],
  },
  heat: {
    startDate: 'date',
    timeZone: 'text',
    aircraftId: 'number',
    days: [{ dateLocal: 'date', hours: [{ startUtc: 'instant', startLocal: 'wall', pilots: 'number' }] }],
  },
  turnout: [TURNOUT],
  needs: [{ ...TURNOUT, kind: 'text', pilots: 'number' }],
  nudged: { nudged: 'number' },
  fillRate: {
    timeZone: 'text',
    weeks: [{ startDate: 'date', endDate: 'date', missions: 'number', seats: 'number', filled: 'number' }],
  },
  times: {
    timeZone: 'text',
    totalAvailableUsers: 'number',
    recommendations: [
      {
        rank: 'number',
        startLocal: 'local',
        endLocal: 'local',
        startUtc: 'instant',
        endUtc: 'instant',
        participantCount: 'number',
        reason: 'text',
        availableUserNames: ['text'],
        availableUserIds: ['text'],
      },
    ],
  },
  created: {
    mission: {
      id: 'text',
      name: 'text',
      theater: 'text',
      status: 'text',
      startLocal: 'local',
      endLocal: 'local',
      timeZone: 'text',
    },
    slotsSummary: [
      { aircraftName: 'text', aircraftCode: 'text', totalSlots: 'number', flightsCreated: 'number', side: 'number' },
    ],
    issued: { orders: 'number', openSeats: 'number' },
  },
  byDate: { date: 'date', timeZone: 'text', totalMissions: 'number', missions: [MISSION] },
  missions: [MISSION],
  attendance: [
    {
      missionId: 'text',
      missionName: 'text',
      theater: 'text',
      startUtc: 'instant',
      startLocal: 'local',
      timeZone: 'text',
      flightCallsign: 'text',
      aircraftName: 'text',
      role: 'text',
      side: 'number',
      seatIndex: 'number',
      orderId: 'text',
      userId: 'text',
      userDisplayName: 'text',
      attendance: 'text?',
    },
  ],
  mission: DETAIL,
  dryRun: {
    timeZone: 'text',
    startUtc: 'instant',
    endUtc: 'instant',
    seats: 'number',
    filled: 'number',
    slots: [
      {
        aircraftId: 'number',
        aircraftName: 'text',
        role: 'text',
        side: 'number',
        totalSlots: 'number',
        filled: 'number',
        pilots: [{ userId: 'text', userDisplayName: 'text', reasons: ['text'] }],
        unlisted: 'number',
        whyOpen: 'text?',
      },
    ],
    unseated: [{ reason: 'text', pilots: 'number' }, 'or none'],
    better: [
      { startLocal: 'local', endLocal: 'local', startUtc: 'instant', endUtc: 'instant', filled: 'number' },
      'or none',
    ],
    rivals: [RIVAL, 'or none'],
  },
  rivals: [RIVAL],
  weekPlan: {
    missions: [
      {
        missionId: 'text?',
        missionName: 'text?',
        startUtc: 'instant',
        endUtc: 'instant',
        seats: 'number',
        filled: 'number',
        filledAlone: 'number',
      },
    ],
    seats: 'number',
    filled: 'number',
    filledAlone: 'number',
    isBest: 'flag',
  },
  publishedWeek: { missions: [{ id: 'text', orders: 'number', openSeats: 'number' }] },
  unseated: [
    {
      userId: 'text',
      userDisplayName: 'text',
      reason: 'text',
      isNearMiss: 'flag',
      lastOrder: 'text?',
      sentence: 'text',
    },
  ],
  candidates: [
    {
      userId: 'text',
      userDisplayName: 'text',
      level: 'text',
      fit: 'text?',
      reason: 'text?',
      isAssignable: 'flag',
      rsvp: 'text?',
      holds: 'text?',
      warnings: ['text', 'or none'],
    },
  ],
  orders: [
    {
      id: 'text',
      seq: 'number',
      label: 'text',
      userId: 'text',
      userDisplayName: 'text',
      flightId: 'text',
      flightCallsign: 'text',
      aircraftName: 'text',
      seatIndex: 'number',
      status: 'text',
      statusReason: 'text?',
      rsvp: 'text',
      isOpenOffer: 'flag',
      holdsSeat: 'flag',
      isLate: 'flag',
      standbyPosition: 'number?',
      issuedAt: 'instant',
      expiresAt: 'instant',
      answeredAt: 'instant?',
      confirmedAt: 'instant?',
      reasons: ['text'],
      changes: [{ field: 'text', from: 'text?', to: 'text?' }, 'or none'],
      attendance: 'text?',
      reminders: [
        {
          leadMinutes: 'number',
          remindedAt: 'instant',
          deliveries: [{ channel: 'text', state: 'text', reason: 'text?' }, 'or none'],
          problem: 'text?',
        },
        'or none',
      ],
    },
  ],
  edited: { mission: DETAIL, askedAgain: 'number', told: 'number', freed: 'number' },
  editPreview: {
    misfits: [
      {
        orderId: 'text',
        userId: 'text',
        userDisplayName: 'text',
        flightCallsign: 'text',
        seatIndex: 'number',
        rsvp: 'text',
        reason: 'text',
        sentence: 'text',
        isKeepable: 'flag',
      },
    ],
  },
  assigned: { orderId: 'text', warnings: ['text', 'or none'] },
  cancelled: { success: 'flag', ordersCancelled: 'number' },
  users: {
    users: [
      {
        ...USER,
        looksLike: ['text', 'or none'],
        hasSecondFactor: 'flag',
        aircraft: [{ name: 'text', level: 'text' }, 'or none'],
        reliability: 'number?',
        lastSeenAt: 'instant?',
        leave: 'text?',
        ban: 'text?',
      },
    ],
    total: 'number',
    page: 'number',
    pageSize: 'number',
  },
  roles: { roles: ['text'] },
  pilot: {
    user: USER,
    leave: 'text?',
    timeZone: 'text',
    availabilityWindows: [
      {
        dateLocal: 'date',
        startLocal: 'wall',
        endLocal: 'wall',
        source: 'text',
        aircraftCodeId: 'number',
        notes: 'text?',
      },
    ],
    busyTimes: [{ dateLocal: 'date', startLocal: 'wall', endLocal: 'wall' }, 'or none'],
    aircraftProficiencies: [
      {
        aircraftId: 'number',
        aircraftCode: 'text',
        aircraftName: 'text',
        level: 'text',
        setByAdmin: 'flag',
        updatedAt: 'instant',
      },
    ],
    upcomingMissions: [ASSIGNED],
    previousMissions: [ASSIGNED],
  },
  schedule: {
    user: USER,
    timeZone: 'text',
    schedule: [
      {
        dayOfWeek: 'number',
        timeRange: 'text',
        startLocal: 'wall',
        endLocal: 'wall',
        aircraftCodeId: 'number',
        notes: 'text?',
      },
    ],
  },
  audit: {
    entries: [
      {
        id: 'text',
        occurredAt: 'instant',
        action: 'text',
        actor: { id: 'text', displayName: 'text' },
        isByCommandLine: 'flag',
        subjectType: 'text',
        subjectId: 'text',
        subjectName: 'text?',
        missionStartUtc: 'instant?',
        summary: 'text',
      },
    ],
    total: 'number',
    page: 'number',
    pageSize: 'number',
  },
  ...AIRCRAFT_SHAPES,
  ...WEBHOOK_SHAPES,
  ...COMMUNITY_SHAPES,
  ...DISCORD_SHAPES,
  stats: { totalUsers: 'number', missionsRunning: 'number' },
  success: { success: 'flag' },
  refused: { code: 'text', message: 'text' },
} as const satisfies Record<string, Shape>;
