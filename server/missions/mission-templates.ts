/** Mission templates: list, read, save from a mission, rename, overwrite, delete. */
import type { z } from 'zod';
import { Aircraft } from '#server/schema/aircraft.ts';
import { newId } from '#server/schema/base.ts';
import { db, json, ms } from '#server/schema/database.ts';
import { violatedConstraint } from '#server/schema/failures.ts';
import type { Em } from '#server/schema/orm.ts';
import { MissionTemplate } from '#server/schema/series.ts';
import { transact } from '#server/schema/transaction.ts';
import { AppError } from '#server/platform/errors.ts';
import { onceFor, type KeyedCaller } from '#server/platform/idempotency.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { emit } from '#server/signals/emit.ts';
import { toIso } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { NAMELESS } from '#shared/labels.ts';
import { OWNED_MAX } from '#shared/limits.ts';
import type { MissionContent } from '#shared/mission-content.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import {
  STARTER_IDS,
  type createTemplateInput,
  type MissionTemplateDto,
  type StarterId,
  type TemplateSummaryDto,
  type updateTemplateInput,
} from '#shared/schemas/mission-templates.ts';
import { readContent, splitOffered } from './mission-content.ts';
import { seatsIn, starterContent } from './rules/starters.ts';

const isStarterId = (id: string): id is StarterId => STARTER_IDS.some((one) => one === id);

const notFound = () => new AppError('MISSION_TEMPLATE_NOT_FOUND');

/** Templates as a list shows them. */
const selectTemplates = (em: Em) =>
  db(em)
    .selectFrom('mission_template as t')
    .innerJoin('app_user as u', 'u.id', 't.created_by_id')
    .select(({ ref }) => [
      't.id',
      't.name',
      't.theater',
      't.seats',
      'u.display_name as createdByName',
      ms(ref('t.updated_at')).as('updatedMs'),
    ])
    .orderBy(({ fn }) => fn<string>('lower', ['t.name']))
    .limit(OWNED_MAX.missionTemplates);

type Row = Awaited<ReturnType<ReturnType<typeof selectTemplates>['execute']>>[number];

const summaryOf = ({ updatedMs, createdByName, ...row }: Row): TemplateSummaryDto => ({
  ...row,
  isStarter: false,
  createdByName: createdByName ?? NAMELESS,
  updatedAt: toIso(updatedMs),
});

async function readStarter(em: Em, viewer: Viewer, id: StarterId) {
  const content = starterContent(id, await em.find(Aircraft, {}), viewer.timeZone);
  const { name, theater, slots } = content;
  const summary = { id, name, theater, seats: seatsIn(slots), isStarter: true, createdByName: null, updatedAt: null };
  return { summary, content };
}

/** All templates by name, then the starters. */
export async function listTemplates(em: Em, viewer: Viewer): Promise<TemplateSummaryDto[]> {
  const rows = await selectTemplates(em).execute();
  const starters = await Promise.all(STARTER_IDS.map((id) => readStarter(em, viewer, id)));
  return [...rows.map(summaryOf), ...starters.map(({ summary }) => summary)];
}

/** The content of a template or a starter, with what a list shows of it. Unknown id: 404. */
export async function readTemplate(
  em: Em,
  viewer: Viewer,
  id: string,
): Promise<{ summary: TemplateSummaryDto; content: MissionContent }> {
  if (isStarterId(id)) return readStarter(em, viewer, id);
  const row = await selectTemplates(em).where('t.id', '=', id).executeTakeFirst();
  const template = await em.findOne(MissionTemplate, { id }, { refresh: true });
  if (!row || !template) throw notFound();
  return { summary: summaryOf(row), content: template.content };
}

/** A template with the aircraft that are offered, and the names of the others. Unknown id: 404. */
export async function getTemplate(em: Em, viewer: Viewer, id: string): Promise<MissionTemplateDto> {
  const { summary, content } = await readTemplate(em, viewer, id);
  const { offered, missingAircraft } = await splitOffered(em, content);
  return {
    ...summary,
    ...eachField(MISSION_TEXT_KEYS, (key) => content[key]),
    missionName: content.name,
    startLocal: content.startLocal,
    minutes: content.minutes,
    timeZone: content.timeZone,
    links: content.links,
    guildIds: content.guildIds,
    secretSides: content.secretSides,
    aircraftSlots: offered.map(({ aircraftId, slotCount, side, role, additionalNotes }) => ({
      aircraftId,
      slotCount,
      side,
      notes: role,
      additionalNotes,
    })),
    missingAircraft,
  };
}

const columnsOf = (content: MissionContent) => ({
  theater: content.theater,
  seats: seatsIn(content.slots),
  content: json(content),
});

/** Run a write that may take the name of another template: 409. */
async function withName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'mission_template_name_key') throw error;
    throw new AppError('TEMPLATE_NAME_TAKEN', copy.missionTemplateNameTaken, { field: 'name' });
  }
}

/** Keep a mission as a template. 404 for an unknown mission, 409 for a name in use or too many templates. */
export async function createTemplate(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof createTemplateInput>,
  caller: KeyedCaller,
): Promise<{ id: string }> {
  const inside = async (tx: Em): Promise<{ id: string }> => {
    const { now } = caller;
    const id = newId();
    const content = await readContent(tx, input.missionId);
    await takeLock(tx, 'missionTemplates');
    await requireRoom('missionTemplates', db(tx).selectFrom('mission_template'));
    const own = { id, name: input.name, created_by_id: viewer.id, created_at: now, updated_at: now };
    await db(tx)
      .insertInto('mission_template')
      .values({ ...own, ...columnsOf(content) })
      .execute();
    emit(tx, { type: 'template.saved', by: viewer, template: { id, name: input.name } });
    return { id };
  };
  return withName(() => transact(em, (tx) => onceFor(tx, caller, 'missionTemplate', input, () => inside(tx))));
}

async function lockTemplate(tx: Em, id: string): Promise<{ name: string }> {
  const row = await db(tx)
    .selectFrom('mission_template')
    .select('name')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Rename a template, or let it take over another mission. 404 for an unknown one, 409 for a name in use. */
export async function updateTemplate(
  em: Em,
  viewer: Viewer,
  { id, name, missionId }: z.infer<typeof updateTemplateInput>,
  now: Date,
): Promise<void> {
  await withName(() =>
    transact(em, async (tx) => {
      const before = await lockTemplate(tx, id);
      const content = missionId === undefined ? null : await readContent(tx, missionId);
      await db(tx)
        .updateTable('mission_template')
        .set({ updated_at: now, ...(name !== undefined && { name }), ...(content && columnsOf(content)) })
        .where('id', '=', id)
        .execute();
      const template = { id, name: name ?? before.name };
      const change = { formerName: before.name, isOverwritten: content !== null };
      emit(tx, { type: 'template.changed', by: viewer, template, ...change });
    }),
  );
}

/** Delete a template; missions that were made from it stay. Unknown id: 404. */
export async function deleteTemplate(em: Em, viewer: Viewer, id: string): Promise<void> {
  await transact(em, async (tx) => {
    const { name } = await lockTemplate(tx, id);
    await db(tx).deleteFrom('mission_template').where('id', '=', id).execute();
    emit(tx, { type: 'template.deleted', by: viewer, template: { id, name } });
  });
}
