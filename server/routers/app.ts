/** The tRPC router of all procedures. Clients import only its type. */
import { createCallerFactory, router } from '#server/http/trpc.ts';
import { adminRouter } from './admin.ts';
import { authRouter } from './auth.ts';
import { availabilityRouter } from './availability.ts';
import { calendarRouter } from './calendar.ts';
import { discordRouter } from './discord.ts';
import { mailRouter } from './mail.ts';
import { missionsRouter } from './missions.ts';
import { pilotRouter } from './pilot.ts';
import { secondFactorRouter } from './second-factor.ts';
import { tokensRouter } from './tokens.ts';
import { vocabularyRouter } from './vocabulary.ts';

export const appRouter = router({
  auth: authRouter,
  secondFactor: secondFactorRouter,
  pilot: pilotRouter,
  missions: missionsRouter,
  mail: mailRouter,
  availability: availabilityRouter,
  calendar: calendarRouter,
  tokens: tokensRouter,
  admin: adminRouter,
  discord: discordRouter,
  vocabulary: vocabularyRouter,
});

export type AppRouter = typeof appRouter;
export const createCaller = createCallerFactory(appRouter);
