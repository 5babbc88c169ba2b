/** Password hashing: argon2id with a bounded queue, so that a flood of sign-ins cannot block other requests. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '#server/platform/errors.ts';
import { yieldPool } from '#server/platform/thread-priority.ts';
import { copy } from '#shared/copy.ts';

interface Cost {
  /** KiB */
  memory: number;
  passes: number;
  parallelism: number;
  /** bytes */
  tagLength: number;
}

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;
const HASHES = { inFlight: 2, queued: 32 } as const;
/** A sign-in also counts the attempt, in a transaction: more at once would take the connections of those who are signed in. */
const SIGN_INS = { inFlight: 4, queued: 32 } as const;

const derive = promisify(argon2);

export interface PasswordHasher {
  /**
   * Do a whole sign-in with its own hash, a few at a time.
   * @throws AppError 429 when too many wait, before anything is read or counted
   */
  inTurn: Turns;
  /** @returns a PHC string: $argon2id$v=19$m=…,t=…,p=…$salt$hash */
  hash(password: string): Promise<string>;
  /**
   * Compare in constant time, whether or not there is an account.
   * @param stored null when there is no account or it has no password: a dummy is hashed and the answer is false
   */
  verify(password: string, stored: string | null): Promise<boolean>;
}

function encode({ memory, passes, parallelism }: Cost, salt: Buffer, hash: Buffer): string {
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(hash)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** A bounded queue: so many works at a time, so many that wait, and 429 for the others. */
function createTurns(max: { inFlight: number; queued: number }): Turns {
  let inFlight = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (inFlight >= max.inFlight) {
      if (waiting.length >= max.queued) throw new AppError('RATE_LIMITED', copy.busy, { retryAfterSeconds: 1 });
      await new Promise<void>((resume) => waiting.push(resume));
    } else {
      inFlight += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else inFlight -= 1;
    }
  };
}

/** @param cost of new hashes; a hash is verified with the cost that it names */
export function createPasswordHasher(cost = COST): PasswordHasher {
  const withTurn = createTurns(HASHES);
  let hasYielded = false;
  const compute = async (password: string, nonce: Buffer, ofHash: Cost): Promise<Buffer> => {
    const hash = await withTurn(() => derive('argon2id', { message: Buffer.from(password, 'utf8'), nonce, ...ofHash }));
    if (!hasYielded) yieldPool();
    hasYielded = true;
    return hash;
  };

  return {
    inTurn: createTurns(SIGN_INS),
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return encode(cost, salt, await compute(password, salt, cost));
    },
    async verify(password, stored) {
      const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(stored ?? '') ?? [];
      if (!hash) {
        await compute(password, Buffer.alloc(SALT_BYTES), cost);
        return false;
      }
      const expected = Buffer.from(hash, 'base64');
      const actual = await compute(password, Buffer.from(salt, 'base64'), {
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
        tagLength: expected.length,
      });
      return timingSafeEqual(actual, expected);
    },
  };
}
