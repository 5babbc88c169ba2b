/** Schemas of a pilot's leave of absence. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { LEAVE } from '#shared/limits.ts';
import { LEAVE_EFFECTS } from '#shared/leave.ts';
import { dateInput, idInput, isoInstant, localDate, optionalText, rowId, versionInput } from './common.ts';

const firstDate = "First date, by the pilot's own calendar.";
const lastDate = "Last date, by the pilot's own calendar.";
const reason = 'Why, for the pilot and admins.';

export const leave = z
  .object({
    firstDate: localDate.meta({ description: firstDate, examples: ['2026-11-28'] }),
    lastDate: localDate.meta({ description: lastDate, examples: ['2026-12-05'] }),
    reason: z
      .string()
      .nullable()
      .meta({ description: reason, examples: ['Moving house'] }),
    isNow: z.boolean().meta({ description: 'False for a leave that has yet to begin.' }),
    version: z.string().meta({
      description: 'Version of the leave; a change that names an older version is refused.',
      examples: ['2026-11-18T09:12:44.017Z'],
    }),
  })
  .meta({ id: 'Leave', description: 'Dates on which a pilot is never asked to fly.' });
export type LeaveDto = z.infer<typeof leave>;

const dates = {
  firstDate: dateInput.meta({ description: firstDate, examples: ['2026-11-28'] }),
  lastDate: dateInput.meta({ description: `${lastDate} Today or later.`, examples: ['2026-12-05'] }),
};

const DAY_MS = 86_400_000;

function checkDates(form: { firstDate: string; lastDate: string }, { addIssue }: z.RefinementCtx): void {
  const days = (Date.parse(form.lastDate) - Date.parse(form.firstDate)) / DAY_MS + 1;
  const fail = (message: string) => addIssue({ code: 'custom', path: ['lastDate'], message });
  if (days < 1) fail(copy.leaveEndsBeforeStart);
  else if (days > LEAVE.daysMax) fail(copy.leaveTooLong);
}

const leaveFields = { ...dates, reason: optionalText(LEAVE.reasonLength).meta({ description: reason }) };
export const leaveForm = z.object(leaveFields).superRefine(checkDates);

const pilotId = idInput.meta({ description: 'Id of the pilot.' });
export const leaveInput = z.object({ id: pilotId });
export const setLeaveInput = z
  .object({
    id: pilotId,
    version: versionInput.nullish().meta({
      description:
        'Version of the leave that was changed, null if there was none; without it, the leave is replaced whatever it is.',
      examples: ['2026-11-18T09:12:44.017Z'],
    }),
    ...leaveFields,
  })
  .superRefine(checkDates);
export const endLeaveInput = z.object({
  id: pilotId,
  version: versionInput.optional().meta({
    description: 'Version of the leave to end; without it, the leave is ended whatever it is.',
    examples: ['2026-11-18T09:12:44.017Z'],
  }),
});
export const previewLeaveInput = z.object({ id: pilotId, ...dates }).superRefine(checkDates);

export const leavePreview = z
  .object({
    missions: z
      .array(
        z.object({
          missionId: rowId.meta({ description: 'Id of the mission.' }),
          missionName: z.string().meta({ description: 'Name of the mission.', examples: ['Op Lantern'] }),
          startUtc: isoInstant.meta({ description: 'Its start.' }),
          effect: z.enum(LEAVE_EFFECTS).meta({
            description:
              'What the pilot loses: a held seat, an order to answer, or the place on standby. `stays`: the mission has launched, and the pilot keeps the seat.',
          }),
        }),
      )
      .meta({ description: 'Missions in the time of the leave, by start.' }),
  })
  .meta({ id: 'LeavePreview', description: 'What a leave would take from a pilot.' });
export type LeavePreviewDto = z.infer<typeof leavePreview>;
