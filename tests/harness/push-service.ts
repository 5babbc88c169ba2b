/** A local push service with browsers that receive its messages: the receiving side of RFC 8030, 8291 and 8292. */
import {
  createDecipheriv,
  createECDH,
  createHash,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushMessage } from '#shared/schemas/push.ts';

export interface PushRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The service's reaction to a request: a status, a redirect, a cut connection, or no response. */
export type Behaviour = number | { redirectTo: string } | 'cut' | 'hang';

export interface PushService {
  origin: string;
  requests: PushRequest[];
  /** reactions to the next requests, in order; the last one repeats */
  behave: (...behaviours: Behaviour[]) => void;
  stop: () => Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const requests: PushRequest[] = [];
  let behaviours: Behaviour[] = [201];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      const behaviour = (behaviours.length > 1 ? behaviours.shift() : behaviours[0]) ?? 201;
      if (behaviour === 'cut') request.socket.destroy();
      else if (typeof behaviour === 'object') response.writeHead(307, { location: behaviour.redirectTo }).end();
      else if (behaviour !== 'hang') response.writeHead(behaviour).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave: (...next) => {
      behaviours = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface Device {
  /** the result of the browser's toJSON() */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** messages received by this device, decrypted */
  messages: () => PushMessage[];
}

/** A browser with a subscription at the service. */
export function givenDevice(service: PushService): Device {
  const keys = createECDH('prime256v1');
  const p256dh = keys.generateKeys('base64url');
  const auth = randomBytes(16);
  const path = `/push/${createHash('sha256').update(p256dh).digest('hex').slice(0, 16)}`;
  return {
    subscription: { endpoint: service.origin + path, keys: { p256dh, auth: auth.toString('base64url') } },
    messages: () =>
      service.requests
        .filter((request) => request.path === path)
        .map(({ body }) => JSON.parse(openMessage(body, keys, auth).toString('utf8')) as PushMessage),
  };
}

/** Decrypt one message: RFC 8291, section 3, over the single record of RFC 8188. @throws when it was tampered with */
export function openMessage(body: Buffer, keys: ECDH, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  const derive = (secret: Uint8Array, withSalt: Uint8Array, info: Uint8Array, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, withSalt, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const secret = derive(keys.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('The padding is wrong');
  return padded.subarray(0, end);
}

/** The claims of a request's VAPID header (RFC 8292) and the key that signed them. @throws when the signature is wrong */
export function readVapid({ headers }: PushRequest): { claims: Record<string, unknown>; publicKey: string } {
  const match = /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '');
  const [, signed = '', signature = '', publicKey = ''] = match ?? [];
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
  if (!verify('sha256', Buffer.from(signed), key, Buffer.from(signature, 'base64url'))) {
    throw new Error('The VAPID signature does not fit its key');
  }
  return { claims: JSON.parse(Buffer.from(signed.split('.')[1] ?? '', 'base64url').toString('utf8')), publicKey };
}
