/** The list of calls that give access, and the decision that every write needs. `tests/security/access-giving.test.ts` tries them. */
import { initTRPC } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { noAccess, sessionOnly } from '#server/http/access.ts';
import { publicProcedure, router, signedInProcedure } from '#server/http/trpc.ts';
import { appRouter } from '#server/http/routers/app.ts';

/** Every call that gives access, with what it asks for. A new one is added here, and decided in its `.meta()`. */
const GIVES: Record<string, 'session' | 'fresh' | 'rows' | 'some inputs'> = {
  'admin.backups.start': 'session',
  'admin.addRole': 'some inputs',
  'admin.community.createInvite': 'some inputs',
  'admin.community.decide': 'rows',
  'admin.mail.sendInvite': 'rows',
  'admin.mail.sendPasswordLinks': 'fresh',
  'admin.passwordLinks': 'fresh',
  'admin.resetPassword': 'fresh',
  'admin.resetSecondFactor': 'fresh',
  'admin.spreadsheet.import': 'rows',
  'admin.spreadsheet.preview': 'rows',
  'auth.changePassword': 'session',
  'auth.confirmSession': 'session',
  'auth.deletion': 'session',
  'auth.endOtherSessions': 'session',
  'auth.endSession': 'session',
  'auth.requestDeletion': 'session',
  'auth.sessions': 'session',
  'auth.setCredentials': 'fresh',
  'auth.undoDeletion': 'session',
  'pilot.calendar.end': 'session',
  'pilot.calendar.renew': 'session',
  'discord.acceptGuild': 'fresh',
  'pilot.push.subscribe': 'session',
  'pilot.push.subscriptions': 'session',
  'pilot.push.test': 'session',
  'pilot.push.unsubscribe': 'session',
  'pilot.unlinkDiscord': 'session',
  'auth.secondFactor.addPasskey': 'session',
  'auth.secondFactor.beginAuthenticator': 'session',
  'auth.secondFactor.beginPasskey': 'session',
  'auth.secondFactor.confirmAuthenticator': 'session',
  'auth.secondFactor.forgetDevice': 'session',
  'auth.secondFactor.get': 'session',
  'auth.secondFactor.history': 'session',
  'auth.secondFactor.removeAuthenticator': 'session',
  'auth.secondFactor.removePasskey': 'session',
  'auth.secondFactor.renamePasskey': 'session',
  'auth.secondFactor.renewRecoveryCodes': 'session',
  'auth.tokens.create': 'fresh',
  'auth.tokens.list': 'session',
  'auth.tokens.revoke': 'session',
};

interface Definition {
  type: string;
  meta?: { policy?: string; access?: unknown };
}
const definitionsOf = (procedures: object): [string, Definition][] =>
  Object.entries(procedures).map(([name, procedure]) => [name, Reflect.get(Object(procedure), '_def') as Definition]);

/** Writes by signed-in callers that do not say what they give access to. Public ones are the ways in themselves, for browsers. */
const undecided = (procedures: object): string[] =>
  definitionsOf(procedures)
    .filter(([, { type, meta }]) => type !== 'query' && meta?.policy !== 'public' && meta?.access === undefined)
    .map(([name]) => name);

describe('the list of calls that give access', () => {
  test('is decided for every write', () => {
    expect(undecided(appRouter._def.procedures)).toEqual([]);
  });

  test('is the one of the router', () => {
    const found = definitionsOf(appRouter._def.procedures).flatMap(([name, { meta }]) => {
      const access = meta?.access;
      if (access === undefined || access === 'none') return [];
      return [[name, typeof access === 'function' ? 'some inputs' : access]];
    });
    expect(Object.fromEntries(found)).toEqual(GIVES);
  });

  test('finds a write without a decision', () => {
    const planted = router({
      decided: signedInProcedure.meta(noAccess).mutation(() => 1),
      keys: signedInProcedure.meta(sessionOnly).mutation(() => 1),
      entry: publicProcedure.mutation(() => 1),
      forgotten: signedInProcedure.mutation(() => 1),
      inner: router({ unguarded: initTRPC.create().procedure.mutation(() => 1) }),
    });
    expect(undecided(planted._def.procedures)).toEqual(['forgotten', 'inner.unguarded']);
  });
});
