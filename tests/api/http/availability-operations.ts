/** Operations of the week, its exceptions, leaves and busy calendars, with valid inputs. */
import { ADDRESS_PROBLEMS } from '#server/platform/public-addresses.ts';
import { copy } from '#shared/copy.ts';
import { NO_MISSION } from './mission-operations.ts';
import type { Operation, Subject } from './operations.ts';

const slots = [{ weekday: 2, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0, notes: null }];
const template = { name: 'Evenings', isActive: true, slots };
const own = ({ id }: Subject) => ({ id });
const today = () => new Date().toISOString().slice(0, 10);

export const AVAILABILITY_OPERATIONS: Record<string, Operation> = {
  'availability.aircraft': { policy: 'signedIn', input: () => ({ activeOnly: true }) },
  'availability.templates': { policy: 'selfPilot', input: own },
  'availability.createTemplate': { policy: 'selfPilot', input: ({ id }) => ({ id, ...template, isActive: false }) },
  'availability.updateTemplate': {
    policy: 'selfPilot',
    input: ({ id, templateId }) => ({ id, templateId, ...template }),
  },
  'availability.overrides': { policy: 'selfPilot', input: own },
  'availability.addOverride': {
    policy: 'selfPilot',
    input: ({ id }) => ({
      id,
      dateLocal: '2099-08-01',
      untilLocal: '2099-08-03',
      kind: 'unavailable',
      startLocal: '00:00',
      endLocal: '00:00',
      aircraftCodeId: 0,
      notes: 'Holiday',
    }),
  },
  'availability.removeOverride': {
    policy: 'selfPilot',
    input: ({ id }) => ({ id, overrideId: id }),
  },
  'availability.leave': { policy: 'selfPilot', input: own },
  'availability.previewLeave': {
    policy: 'selfPilot',
    input: ({ id }) => ({ id, firstDate: '2099-09-01', lastDate: '2099-09-03' }),
  },
  'availability.setLeave': {
    policy: 'selfPilot',
    input: ({ id }) => ({ id, firstDate: '2099-09-01', lastDate: '2099-09-03', reason: 'Holiday' }),
  },
  'availability.endLeave': { policy: 'selfPilot', input: own },
  'availability.calendars.list': { policy: 'pilot', input: () => undefined },
  'availability.calendars.add': {
    policy: 'pilot',
    input: () => ({ url: 'https://127.0.0.1/basic.ics', name: 'Work', countsWholeDays: true }),
    refusal: ['VALIDATION', ADDRESS_PROBLEMS.private],
  },
  'availability.calendars.refresh': {
    policy: 'pilot',
    input: () => ({ calendarId: NO_MISSION }),
    refusal: ['BUSY_CALENDAR_NOT_FOUND', copy.busyCalendarNotFound],
  },
  'availability.calendars.remove': { policy: 'pilot', input: () => ({ calendarId: NO_MISSION }) },
  'availability.window': { policy: 'selfPilot', input: ({ id }) => ({ id, start: today(), days: 3 }) },
};
