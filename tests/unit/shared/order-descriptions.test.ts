/** The fields that pilots and admins read of an order are described alike, and as what they are. */
import { expect, test } from 'vitest';
import type { z } from '#shared/zod.ts';
import { missionOrders } from '#shared/schemas/mission-admin.ts';
import { fragOrder } from '#shared/schemas/pilot.ts';

/** The description of each field. */
const describedIn = ({ shape }: z.ZodObject): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(shape).map(([field, schema]) => [field, (schema as z.ZodType).meta()?.description]),
  );

test('a field of an order means the same for its pilot and for admins', () => {
  const [pilots, admins] = [describedIn(fragOrder), describedIn(missionOrders.element)];
  const both = Object.keys(pilots).filter((field) => field in admins);
  expect(Object.values(pilots).filter((text) => text === undefined)).toEqual([]);
  expect(both).toEqual(expect.arrayContaining(['status', 'rsvp', 'confirmedAt', 'expiresAt', 'changes', 'reasons']));
  expect(both.filter((field) => pilots[field] !== admins[field])).toEqual([]);
});

test('the time of the confirmation is not that of the acceptance', () => {
  expect(describedIn(fragOrder)['confirmedAt']).toMatch(/confirmed/);
  expect(describedIn(fragOrder)['confirmedAt']).not.toMatch(/^Time of the acceptance/);
});
