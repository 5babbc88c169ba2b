/** The tRPC router of all procedures. Clients import only its type. */
import { createCallerFactory, router, type Meta } from '#server/http/trpc.ts';
import { adminRouter } from './admin.ts';
import { authRouter } from './auth.ts';
import { availabilityRouter } from './availability.ts';
import { discordRouter } from './discord.ts';
import { pilotRouter } from './pilot.ts';

export const appRouter = router({
  auth: authRouter,
  pilot: pilotRouter,
  availability: availabilityRouter,
  admin: adminRouter,
  discord: discordRouter,
});

export type AppRouter = typeof appRouter;
export const createCaller = createCallerFactory(appRouter);

/** What a procedure says of itself; undefined if there is none of this name. */
export function metaOf(name: string): Meta | undefined {
  if (!Object.hasOwn(appRouter._def.procedures, name)) return undefined;
  const procedure = Reflect.get(appRouter._def.procedures, name) as { _def: { meta?: Meta } };
  return procedure._def.meta;
}
