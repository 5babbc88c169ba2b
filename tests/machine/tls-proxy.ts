/** HAProxy with a certificate made here, as an operator puts a reverse proxy with https in front of Marshal. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#tests/harness/own-postgres.ts';

interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

export interface TlsProxy {
  /** the public address */
  url: string;
  /** The answer to a request over https, with the certificate checked. */
  ask: (path: string, options?: RequestOptions, body?: object) => Promise<Answer>;
  stop: () => Promise<void>;
}

/** @param target port of Marshal on this machine */
export async function startTlsProxy(target: number): Promise<TlsProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'marshal-proxy-'));
  const port = await findFreePort();
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(folder, name));
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  const files = ['-keyout', key ?? '', '-out', certificate ?? ''];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], { stdio: 'ignore' });
  const ca = readFileSync(certificate ?? '', 'utf8');
  writeFileSync(join(folder, 'both.pem'), ca + readFileSync(key ?? '', 'utf8'));
  const config = join(folder, 'haproxy.cfg');
  writeFileSync(
    config,
    `defaults
  mode http
  timeout connect 3s
  timeout client 65s
  timeout server 65s
frontend https
  bind 127.0.0.1:${port} ssl crt ${join(folder, 'both.pem')}
  option forwardfor
  http-request set-header X-Forwarded-Proto https
  default_backend marshal
backend marshal
  server marshal 127.0.0.1:${target}
`,
  );
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', config], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const url = `https://localhost:${port}`;
  return {
    url,
    ask: (path, options = {}, body) =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(path, url), { ca, family: 4, ...options }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        });
        sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
      }),
    async stop() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
