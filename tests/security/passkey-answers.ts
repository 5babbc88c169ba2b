/** A passkey in software, which signs whatever a test asks for, also what no browser would send (WebAuthn Level 3). */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** CBOR (RFC 8949) of the few kinds that a new key needs. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number): Buffer => {
    if (size < 24) return Buffer.from([(major << 5) | size]);
    if (size < 256) return Buffer.from([(major << 5) | 24, size]);
    return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const fields = [...value].flatMap(([key, one]) => [cbor(key), cbor(one as Parameters<typeof cbor>[0])]);
  return Buffer.concat([head(5, value.size), ...fields]);
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const FLAGS = { present: 1, verified: 4, attested: 64 };

export interface Changes {
  /** what the browser says it signed for */
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  counter?: number;
  flags?: number;
  /** more in the signed text of the browser */
  client?: Record<string, unknown>;
}

export class SoftwarePasskey {
  readonly id: string;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  counter = 0;

  /** @param origin of the site @param id base64url; of another key, to pretend to be it */
  constructor(origin: string, id = randomBytes(32).toString('base64url')) {
    this.#origin = origin;
    this.id = id;
  }

  #client(type: string, { challenge, origin = this.#origin, type: other = type, client = {} }: Changes): Buffer {
    return Buffer.from(JSON.stringify({ type: other, challenge, origin, crossOrigin: false, ...client }));
  }

  #data(
    { rpId = new URL(this.#origin).hostname, flags, counter = (this.counter += 1) }: Changes,
    more = Buffer.alloc(0),
  ) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags ?? FLAGS.present | FLAGS.verified]), count, more]);
  }

  /** A new passkey, as the browser sends it. @param publicKey in place of the right one (COSE) */
  create(changes: Changes, publicKey = this.#cose()) {
    const id = Buffer.from(this.id, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([id.length >> 8, id.length & 255]), id, publicKey]);
    const flags = FLAGS.present | FLAGS.verified | FLAGS.attested;
    const authData = this.#data({ flags, counter: 0, ...changes }, attested);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return {
      id: this.id,
      rawId: this.id,
      response: {
        clientDataJSON: this.#client('webauthn.create', changes).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  #cose(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }

  /** The answer to a question, as the browser sends it. */
  answer(changes: Changes) {
    const client = this.#client('webauthn.get', changes);
    const authData = this.#data(changes);
    const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), this.#keys.privateKey);
    return {
      id: this.id,
      rawId: this.id,
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    };
  }
}
