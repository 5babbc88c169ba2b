/** Calls under /api/v1 without a procedure: files, the event stream, and the page loads of sign-in with Discord. */
import { z } from 'zod';
import { DISCORD_CALLBACK_PATH } from '#server/discord/sign-in/oauth.ts';
import type { Policy } from '#server/http/trpc.ts';
import { DISCORD_SIGN_IN_PATH } from '#shared/discord-sign-in.ts';
import { LIVE_PATH, LIVE_TOPICS } from '#shared/live.ts';
import { attendanceReport } from '#shared/schemas/attendance.ts';
import { kneeboardInput } from '#shared/schemas/calendar.ts';
import { discordVisitInput } from '#shared/schemas/discord-link.ts';
import { missionIdInput } from '#shared/schemas/mission-admin.ts';
import { uploadedMissionFile, uploadMissionFileInput } from '#shared/schemas/mission-file.ts';
import { orderInput } from '#shared/schemas/pilot.ts';
import type { OperationWords } from '#server/http/operation.ts';

interface OtherCall {
  /** below /api/v1 */
  path: string;
  docs: OperationWords;
  input: z.ZodType | null;
}

/** A call whose successful answer is not JSON. */
export interface FileCall extends OtherCall {
  policy: Policy;
  answer: { description: string; type: string; schema: Record<string, unknown> };
}

/** A POST whose body is a file, with its parameters in the query. */
export interface UploadCall extends OtherCall {
  policy: Policy;
  body: { description: string; type: string };
  answer: z.ZodType;
}

/** A call that answers with a redirect. */
export interface Redirect extends OtherCall {
  answer: string;
}

const calendar = (description: string) => ({ description, type: 'text/calendar', schema: { type: 'string' } });

export const FILE_CALLS: readonly FileCall[] = [
  {
    path: LIVE_PATH.replace('/api/v1', ''),
    policy: 'pilot',
    docs: {
      id: 'streamEvents',
      tag: 'Notifications',
      summary: 'Follow changes as they happen',
      description:
        'Server-sent events (`text/event-stream`) that name what has changed, so that a client can load it again. The stream never ends; connect again when it breaks.',
    },
    input: null,
    answer: {
      description: 'One event per change; the topic `all` when some may have been missed.',
      type: 'text/event-stream',
      schema: {
        type: 'object',
        description: 'The data of one event.',
        required: ['topic', 'version'],
        properties: {
          topic: { type: 'string', enum: LIVE_TOPICS, description: 'What has changed.' },
          version: {
            type: 'integer',
            description: 'Identifies the change: events of one topic with the same version are duplicates.',
          },
        },
      },
    },
  },
  {
    path: '/pilot/inbox/{id}/kneeboard.png',
    policy: 'pilot',
    docs: {
      id: 'getKneeboard',
      tag: 'Inbox',
      summary: 'Get the kneeboard card of an accepted order',
      description: 'An image to fly with, in light or dark colours.',
      refusals: ['ORDER_NOT_FOUND', 'ORDER_NOT_ACCEPTED'],
    },
    input: kneeboardInput,
    answer: {
      description: 'A PNG image of 768 x 1024 pixels.',
      type: 'image/png',
      schema: { type: 'string', contentMediaType: 'image/png' },
    },
  },
  {
    path: '/pilot/inbox/{id}/calendar.ics',
    policy: 'pilot',
    docs: {
      id: 'getOrderCalendar',
      tag: 'Inbox',
      summary: 'Get one order as a calendar file',
      refusals: ['ORDER_NOT_FOUND'],
    },
    input: orderInput,
    answer: calendar('A calendar with one event, times in UTC.'),
  },
  {
    path: '/admin/missions/{id}/mission.miz',
    policy: 'admin',
    docs: {
      id: 'downloadMissionFile',
      tag: 'Missions',
      summary: "Get a mission's file with the pilots in it",
      description:
        'The newest version of the file that the mission was created from. Units of accepted seats have the call signs of their pilots, flights have the frequencies of the plan, and kneeboard pages are added. Everything else has the same bytes.',
      refusals: ['MISSION_NOT_FOUND', 'MISSION_FILE_NOT_FOUND'],
    },
    input: missionIdInput,
    answer: {
      description: 'A mission file of DCS World.',
      type: 'application/octet-stream',
      schema: { type: 'string', contentMediaType: 'application/octet-stream' },
    },
  },
  {
    path: '/admin/missions/{id}/line-up.csv',
    policy: 'admin',
    docs: {
      id: 'getLineUpCsv',
      tag: 'Missions',
      summary: "Get a mission's seats as CSV",
      description:
        'One line for each seat: side, package, flight, aircraft, type, role, frequency, launch, TOT, seat, call sign, answer, and the names of the group and the unit in the mission file. Times are in UTC.',
      refusals: ['MISSION_NOT_FOUND'],
    },
    input: missionIdInput,
    answer: { description: 'A table with a header line.', type: 'text/csv', schema: { type: 'string' } },
  },
  {
    path: '/admin/missions/{id}/line-up.txt',
    policy: 'admin',
    docs: {
      id: 'getLineUp',
      tag: 'Missions',
      summary: "Get a mission's seats as text",
      description: 'A block for each flight, as briefing tools such as CombatFlite show it. Times are in UTC.',
      refusals: ['MISSION_NOT_FOUND'],
    },
    input: missionIdInput,
    answer: { description: 'Lines of text.', type: 'text/plain', schema: { type: 'string' } },
  },
  {
    path: '/auth/data.json',
    policy: 'signedIn',
    docs: {
      id: 'downloadOwnData',
      tag: 'Auth',
      summary: 'Download everything that Marshal stores about the account',
      description:
        'Account, sessions, aircraft, times, orders with their answers, Discord link and audit entries, without passwords and keys. Needs a session.',
      refusals: ['SESSION_REQUIRED'],
    },
    input: z.object({}),
    answer: {
      description: "The account's data as a JSON file.",
      type: 'application/json',
      schema: { type: 'object', description: 'One property for each kind of data.', additionalProperties: true },
    },
  },
  {
    path: '/calendar/{token}.ics',
    policy: 'public',
    docs: {
      id: 'getCalendar',
      tag: 'Notifications',
      summary: "Get a pilot's frag orders as a calendar",
      description: 'For calendar programs, which subscribe to this address. The token in it is the only credential.',
      refusals: ['CALENDAR_NOT_FOUND'],
    },
    input: z.object({
      token: z
        .string()
        .meta({ description: 'The secret part of the link.', examples: ['c2VjcmV0LWNhbGVuZGFyLWxpbms'] }),
    }),
    answer: calendar("The frag orders of the link's pilot."),
  },
];

export const UPLOAD_CALLS: readonly UploadCall[] = [
  {
    path: '/admin/mission-files',
    policy: 'admin',
    docs: {
      id: 'uploadMissionFile',
      tag: 'Missions',
      summary: 'Upload a mission file of DCS World',
      description:
        'Reads a .miz file of at most 50 MB and answers with the seats in it. The file waits a day for a mission that is created with its id, or for a mission that has an earlier version of it. The same file sent again is the same upload.',
      refusals: ['MISSION_FILE_UNREADABLE', 'BODY_TOO_LARGE', 'LIMIT_REACHED'],
    },
    input: uploadMissionFileInput,
    body: { description: 'The file.', type: 'application/octet-stream' },
    answer: uploadedMissionFile,
  },
  {
    path: '/admin/missions/{id}/recordings',
    policy: 'admin',
    docs: {
      id: 'addRecording',
      tag: 'Missions',
      summary: 'Propose attendance from a recording by Tacview',
      description:
        'Reads an .acmi file (text or zip, at most 100 MB, 300 MB unpacked) of a mission that is over. Marks nobody. The same file sent again adds nothing.',
      refusals: [
        'MISSION_NOT_FOUND',
        'MISSION_FINAL',
        'MISSION_NOT_OVER',
        'RECORDING_UNREADABLE',
        'RECORDING_OF_OTHER_TIME',
        'BODY_TOO_LARGE',
        'LIMIT_REACHED',
      ],
    },
    input: missionIdInput,
    body: { description: 'The recording.', type: 'application/octet-stream' },
    answer: attendanceReport,
  },
];

export const REDIRECTS: readonly Redirect[] = [
  {
    path: DISCORD_SIGN_IN_PATH.replace('/api/v1', ''),
    docs: {
      id: 'visitDiscord',
      tag: 'Auth',
      summary: 'Go to the sign-in of Discord',
      description: 'For browsers. Exists only if the setting `DISCORD_CLIENT_SECRET` is set.',
    },
    input: discordVisitInput,
    answer: 'Redirects to Discord, or to a page that explains why not.',
  },
  {
    path: DISCORD_CALLBACK_PATH,
    docs: {
      id: 'returnFromDiscord',
      tag: 'Auth',
      summary: 'Return from the sign-in of Discord',
      description: 'For browsers. Works once, in the browser that started the sign-in.',
    },
    input: z.object({
      state: z.string().meta({ description: 'The visit, as it was given to Discord.' }),
      code: z.string().optional().meta({ description: "Discord's code for the account." }),
      error: z.string().optional().meta({ description: "Discord's reason why there is no code." }),
    }),
    answer: 'Redirects to the requested page, or to one that explains why not.',
  },
];
