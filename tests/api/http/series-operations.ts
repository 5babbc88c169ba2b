/** The operations of mission templates, with a template that they are about. */
import type { Service } from '#tests/harness/service.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Operation } from './operations.ts';

export const MISSION_TEMPLATE_ID = '0192c0de-0000-7000-8000-0000000000b1';
const NO_ROW = '0192c0de-0000-7000-8000-0000000000ff';

let count = 0;
const newName = () => `Evening ${(count += 1)}`;
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
  slots: [slot],
  flights: [],
  packages: [],
};

/** The template. */
export async function givenMissionTemplate({ app }: Service, adminId: string): Promise<void> {
  const em = app.orm.em.fork();
  await query(
    em,
    sql`insert into mission_template (id, name, theater, seats, content, created_by_id, created_at, updated_at)
        values (${MISSION_TEMPLATE_ID}, 'Wednesday strike', 'Syria', 2, ${JSON.stringify(content)}::jsonb, ${adminId}, now(), now())`,
  );
}
