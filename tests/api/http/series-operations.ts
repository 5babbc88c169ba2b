/** The operations of mission templates and series, with a template and a series that they are about. */
import type { Service } from '#tests/harness/service.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Operation } from './operations.ts';

const MISSION_TEMPLATE_ID = '0192c0de-0000-7000-8000-0000000000b1';
const NO_ROW = '0192c0de-0000-7000-8000-0000000000ff';

let count = 0;
const newName = () => `Evening ${(count += 1)}`;
const SERIES_ID = '0192c0de-0000-7000-8000-0000000000b2';
const ownSeries = () => ({ id: SERIES_ID });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const own = () => ({ id: MISSION_TEMPLATE_ID });

export const SERIES_OPERATIONS: Record<string, Operation> = {
  'admin.missionTemplates.list': { policy: 'admin', input: () => undefined },
  'admin.missionTemplates.get': { policy: 'admin', input: own },
  'admin.missionTemplates.create': { policy: 'admin', input: ({ missionId }) => ({ name: newName(), missionId }) },
  'admin.missionTemplates.update': {
    policy: 'admin',
    input: ({ missionId }) => ({ ...own(), name: newName(), missionId }),
  },
  'admin.missionTemplates.remove': {
    policy: 'admin',
    input: () => ({ id: NO_ROW }),
    refusal: ['MISSION_TEMPLATE_NOT_FOUND', 'Mission template not found'],
  },
  'admin.series.list': { policy: 'admin', input: () => undefined },
  'admin.series.create': {
    policy: 'admin',
    input: () => ({
      templateId: MISSION_TEMPLATE_ID,
      firstDate: inDays(2),
      weekdays: [3],
      everyWeeks: 1,
      startLocal: '19:00',
      minutes: 120,
      timeZone: 'UTC',
      lastDate: null,
      horizonWeeks: 1,
      publishDays: null,
    }),
  },
  'admin.series.update': {
    policy: 'admin',
    input: () => ({ ...ownSeries(), weekdays: [0, 1, 2, 3, 4, 5, 6], startLocal: '20:00', publishDays: null }),
  },
  'admin.series.adopt': {
    policy: 'admin',
    input: () => ({ missionId: NO_ROW, scope: 'all' }),
    refusal: ['SERIES_NOT_FOUND', 'Series not found'],
  },
  'admin.series.skip': { policy: 'admin', input: () => ({ ...ownSeries(), date: inDays(3) }) },
  'admin.series.end': {
    policy: 'admin',
    input: () => ({ id: NO_ROW, cancelPublished: false }),
    refusal: ['SERIES_NOT_FOUND', 'Series not found'],
  },
  'admin.series.takeOver': { policy: 'admin', input: ownSeries },
};

const slot = { aircraftId: 2, aircraftName: 'F-16C Viper', slotCount: 2, role: 'CAP', side: 0, additionalNotes: null };
const content = {
  name: 'Op Wednesday',
  theater: 'Syria',
  startLocal: '19:00',
  minutes: 120,
  timeZone: 'UTC',
  notes: null,
  links: [],
  guildIds: null,
  secretSides: null,
  slots: [slot],
  flights: [],
  packages: [],
};

/** The template, and a series of every day. */
export async function givenSeries({ app }: Service, adminId: string): Promise<void> {
  const em = app.orm.em.fork();
  await query(
    em,
    sql`insert into mission_template (id, name, theater, seats, content, created_by_id, created_at, updated_at)
        values (${MISSION_TEMPLATE_ID}, 'Wednesday strike', 'Syria', 2, ${JSON.stringify(content)}::jsonb, ${adminId}, now(), now())`,
  );
  await query(
    em,
    sql`insert into mission_series (id, content, weekdays, every_weeks, first_date, horizon_weeks, revision, created_by_id, created_at, updated_at)
        values (${SERIES_ID}, ${JSON.stringify(content)}::jsonb, '{0,1,2,3,4,5,6}', 1, current_date, 4, 1, ${adminId}, now(), now())`,
  );
}
