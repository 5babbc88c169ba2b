/**
 * Sign-in sessions. Lucia is archived upstream, so only this file uses it. The adapter is ours: ids are stored as hashes,
 * a lookup is one joined query, and sessions expire by the database's clock.
 */
import type { MikroORM } from '@mikro-orm/postgresql';
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import { type Adapter, Lucia, TimeSpan } from 'lucia';
import { db, ms, type Database } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { describeDevice } from '#server/accounts/rules/device.ts';
import { AppError } from '#server/platform/errors.ts';
import { OWNED_MAX } from '#shared/limits.ts';
import type { NewSignInDto } from '#shared/schemas/auth.ts';
import type { SessionDto } from '#shared/schemas/profile.ts';
import { emit } from '#server/signals/emit.ts';
import { hashToken } from '#server/platform/tokens.ts';
import type { AccessCache } from './access-cache.ts';
import { lockUser } from './users.ts';
import { toViewer, VIEWER_COLUMNS, type Viewer } from '#server/platform/viewer.ts';

const SLIDING_DAYS = 14;
const ABSOLUTE_DAYS = 30;
/** Lucia's tokens: 40 characters of lower-case base32. Anything else is rejected without a query. */
const TOKEN = /^[a-z2-7]{40}$/;
/** Length of a session's public handle, a prefix of its hash: enough to tell a user's sessions apart. */
const HANDLE_LENGTH = 16;

export interface NewSession {
  /** the User-Agent header, by which the user will recognize the session */
  userAgent?: string | null;
  /** a remembered device stood in for the second factor */
  isByDevice?: boolean;
  /** the caller's transaction, which has verified the sign-in */
  em?: Em;
}

interface SessionAttributes {
  userAgent: string | null;
  isByDevice: boolean;
}

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes, { viewer: Viewer }>;
    DatabaseUserAttributes: { viewer: Viewer };
    DatabaseSessionAttributes: SessionAttributes;
  }
}

export interface Sessions {
  cookieName: string;
  /**
   * @param mayRecall an answer of the last seconds will do, as for a read that is repeated anyway
   * @returns the viewer, and a fresh cookie when the session was renewed; null for anything that is not a live session
   */
  validate(
    token: string | null,
    options?: { mayRecall?: boolean },
  ): Promise<{ viewer: Viewer; renewedCookie: string | null } | null>;
  /**
   * Sign a user in. The oldest sessions beyond the limit end, and with them their event streams.
   * @returns the Set-Cookie value and the token
   */
  create(userId: string, session?: NewSession): Promise<{ cookie: string; token: string }>;
  /** @param em the caller's transaction */
  end(token: string, em?: Em): Promise<void>;
  /** A user's live sessions: the current one first, then the newest. @param token of the current one */
  list(userId: string, token: string): Promise<SessionDto[]>;
  /** End another session of the user by its handle. The current one: 409; an unknown one: 404. */
  endByHandle(userId: string, handle: string, token: string): Promise<void>;
  /** Note that a sign-in came from a new device, in its transaction. */
  markNew(token: string, em: Em): Promise<void>;
  /** The oldest other session from a new device that nobody has confirmed; null for none. @param token of the current one */
  findNew(em: Em, userId: string, token: string): Promise<NewSignInDto | null>;
  /** Confirm another session from a new device by its handle. An unknown one, or the current one: 404. */
  confirm(userId: string, handle: string, token: string): Promise<void>;
  /** End every session of the user except the current one. */
  endOthers(userId: string, token: string): Promise<void>;
  blankCookie(): string;
  purgeExpired(): Promise<void>;
}

/** End sessions and their event streams. @param which condition on the table @returns the number of ended sessions */
async function deleteSessions(
  em: Em,
  which: (session: ExpressionBuilder<Database, 'session'>) => Expression<SqlBool>,
): Promise<{ userAgent: string | null }[]> {
  return transact(em, async (tx) => {
    const ended = await db(tx)
      .deleteFrom('session')
      .where(which)
      .returning(['user_id as userId', 'user_agent as userAgent'])
      .execute();
    if (ended.length > 0) emit(tx, { type: 'access.changed', userIds: ended.map(({ userId }) => userId) });
    return ended;
  });
}

/**
 * End every session of a user, in the caller's transaction, which has locked the user.
 * @param keptToken of the one session that is kept
 * @returns how many have ended
 */
export async function endSessionsOf(tx: Em, userId: string, keptToken: string | null): Promise<number> {
  const ended = await deleteSessions(tx, (session) =>
    session.and([
      session('user_id', '=', userId),
      session('id', 'is distinct from', keptToken && hashToken(keptToken)),
    ]),
  );
  return ended.length;
}

/**
 * Lock the user and check again, in the caller's transaction, that the session is live. Access that outlives sessions (a
 * calendar link, a push device) must not be added while a password change ends all access.
 * @throws AppError 401 when the session has ended since the request began
 */
export async function holdSession(tx: Em, userId: string, token: string): Promise<void> {
  await lockUser(tx, userId);
  const session = await db(tx)
    .selectFrom('session')
    .select('id')
    .where('id', '=', hashToken(token))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!session) throw new AppError('NOT_AUTHENTICATED');
}

const findSession = named('session', (source, { hash }: { hash: string }) =>
  source
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(({ ref }) => [
      's.user_agent as userAgent',
      's.is_by_device as isByDevice',
      ms(ref('s.expires_at')).as('expiresMs'),
      ...VIEWER_COLUMNS,
    ])
    .where('s.id', '=', hash)
    .where('s.expires_at', '>', ({ fn }) => fn<Date>('now')),
);

/** @param openEm gives each of Lucia's calls its entity manager: a fork, or the caller's transaction */
function createAdapter(orm: MikroORM, openEm: () => Em): Adapter {
  return {
    async getSessionAndUser(token) {
      const [row] = await findSession(orm.em, { hash: hashToken(token) });
      if (!row) return [null, null];
      const { userAgent, isByDevice, expiresMs, ...user } = row;
      return [
        { id: token, userId: user.id, expiresAt: new Date(expiresMs), attributes: { userAgent, isByDevice } },
        { id: user.id, attributes: { viewer: toViewer(user) } },
      ];
    },
    /** Lucia expects tokens here, but only their hashes are stored; nothing calls this. */
    getUserSessions: async () => [],
    async setSession({ id, userId, expiresAt, attributes }) {
      await transact(openEm(), async (tx) => {
        // the clock, not the start of the transaction: a sign-in that had to wait must not look older than the one before it
        await db(tx)
          .insertInto('session')
          .values(({ fn }) => ({
            id: hashToken(id),
            user_id: userId,
            user_agent: attributes.userAgent,
            is_by_device: attributes.isByDevice,
            created_at: fn('clock_timestamp'),
            expires_at: expiresAt,
          }))
          .execute();
        await deleteSessions(tx, (session) =>
          session.and([
            session('user_id', '=', userId),
            session('id', 'not in', ({ selectFrom }) =>
              selectFrom('session as newest')
                .select('newest.id')
                .where('newest.user_id', '=', userId)
                .orderBy('newest.created_at', 'desc')
                .orderBy('newest.id')
                .limit(OWNED_MAX.sessions),
            ),
          ]),
        );
      });
    },
    async updateSessionExpiration(token, expiresAt) {
      await db(openEm())
        .updateTable('session')
        .set({
          expires_at: sql<Date>`least(${expiresAt}::timestamptz, created_at + make_interval(days => ${ABSOLUTE_DAYS}))`,
        })
        .where('id', '=', hashToken(token))
        .execute();
    },
    async deleteSession(token) {
      await deleteSessions(openEm(), (session) => session('id', '=', hashToken(token)));
    },
    async deleteUserSessions(userId) {
      await deleteSessions(openEm(), (session) => session('user_id', '=', userId));
    },
    async deleteExpiredSessions() {
      await db(openEm())
        .deleteFrom('session')
        .where('expires_at', '<=', ({ fn }) => fn<Date>('now'))
        .execute();
    },
  };
}

const handleOf = (hash: string): string => hash.slice(0, HANDLE_LENGTH);

/** Users' own list of their sessions, and the means to end them. */
type SessionList = Pick<Sessions, 'list' | 'endByHandle' | 'endOthers' | 'markNew' | 'findNew' | 'confirm'>;

function createSessionList(orm: MikroORM): SessionList {
  return {
    async list(userId, token) {
      const current = hashToken(token);
      const rows = await db(orm.em.fork())
        .selectFrom('session')
        .select(({ ref }) => [
          'id',
          'user_agent as userAgent',
          ms(ref('created_at')).as('createdMs'),
          ms(ref('expires_at')).as('expiresMs'),
        ])
        .where('user_id', '=', userId)
        .where('expires_at', '>', ({ fn }) => fn<Date>('now'))
        .orderBy((session) => session('id', '=', current), 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        id: handleOf(row.id),
        device: describeDevice(row.userAgent),
        isCurrent: row.id === current,
        createdAt: new Date(row.createdMs).toISOString(),
        expiresAt: new Date(row.expiresMs).toISOString(),
        kind: 'browser',
      }));
    },
    async endByHandle(userId, handle, token) {
      if (handle === handleOf(hashToken(token))) throw new AppError('OWN_SESSION');
      await transact(orm.em.fork(), async (tx) => {
        const [ended] = await deleteSessions(tx, (session) =>
          session.and([
            session('user_id', '=', userId),
            session(session.fn<string>('left', ['id', session.lit(HANDLE_LENGTH)]), '=', handle),
          ]),
        );
        if (!ended) throw new AppError('SESSION_NOT_FOUND');
        emit(tx, { type: 'session.ended', userId, device: describeDevice(ended.userAgent) });
      });
    },
    async markNew(token, em) {
      await db(em).updateTable('session').set({ is_new: true }).where('id', '=', hashToken(token)).execute();
    },
    async findNew(em, userId, token) {
      const row = await db(em)
        .selectFrom('session')
        .select(({ ref }) => ['id', 'user_agent as userAgent', ms(ref('created_at')).as('createdMs')])
        .where('user_id', '=', userId)
        .where('is_new', '=', true)
        .where('id', '<>', hashToken(token))
        .where('expires_at', '>', ({ fn }) => fn<Date>('now'))
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      if (!row) return null;
      const { id, userAgent, createdMs } = row;
      return { id: handleOf(id), device: describeDevice(userAgent), createdAt: new Date(createdMs).toISOString() };
    },
    async confirm(userId, handle, token) {
      await transact(orm.em.fork(), async (tx) => {
        const confirmed = await db(tx)
          .updateTable('session')
          .set({ is_new: false })
          .where('user_id', '=', userId)
          .where('id', '<>', hashToken(token))
          .where((session) => session(session.fn<string>('left', ['id', session.lit(HANDLE_LENGTH)]), '=', handle))
          .returning('user_agent as userAgent')
          .executeTakeFirst();
        if (!confirmed) throw new AppError('SESSION_NOT_FOUND');
        emit(tx, { type: 'session.confirmed', userId, device: describeDevice(confirmed.userAgent) });
      });
    },
    async endOthers(userId, token) {
      await transact(orm.em.fork(), async (tx) => {
        const count = await endSessionsOf(tx, userId, token);
        if (count > 0) emit(tx, { type: 'sessions.ended', userId, count });
      });
    },
  };
}

/** @param secure true on https: the cookie is then bound to this host by the `__Host-` prefix */
export function createSessions(orm: MikroORM, cache: AccessCache, { secure }: { secure: boolean }): Sessions {
  const createLucia = (openEm: () => Em) =>
    new Lucia(createAdapter(orm, openEm), {
      sessionExpiresIn: new TimeSpan(SLIDING_DAYS, 'd'),
      sessionCookie: {
        name: secure ? '__Host-session' : 'session',
        attributes: { secure, sameSite: 'lax', path: '/' },
      },
      getUserAttributes: ({ viewer }) => ({ viewer }),
      getSessionAttributes: ({ userAgent, isByDevice }) => ({ userAgent, isByDevice }),
    });
  const lucia = createLucia(() => orm.em.fork());
  return {
    cookieName: lucia.sessionCookieName,
    async validate(token, { mayRecall = false } = {}) {
      if (token === null || !TOKEN.test(token)) return null;
      const hash = hashToken(token);
      const known = mayRecall ? cache.find(hash) : null;
      if (known) return { viewer: known.viewer, renewedCookie: null };
      const keep = cache.begin();
      const { user, session } = await lucia.validateSession(token);
      if (!user) return null;
      // a session that is renewed at every use is looked up at every use
      if (!session.fresh) keep(hash, { viewer: user.viewer, token: null }, session.expiresAt);
      const renewedCookie = session.fresh ? lucia.createSessionCookie(token).serialize() : null;
      return { viewer: user.viewer, renewedCookie };
    },
    async create(userId, { userAgent = null, isByDevice = false, em = orm.em.fork() } = {}) {
      const { id } = await createLucia(() => em).createSession(userId, { userAgent, isByDevice });
      return { cookie: lucia.createSessionCookie(id).serialize(), token: id };
    },
    end: (token, em = orm.em.fork()) => createLucia(() => em).invalidateSession(token),
    ...createSessionList(orm),
    blankCookie: () => lucia.createBlankSessionCookie().serialize(),
    purgeExpired: () => lucia.deleteExpiredSessions(),
  };
}
