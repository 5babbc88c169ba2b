/**
 * The services of a compose file as Compose would start them: in the order of `depends_on`, with the settings, files and health
 * checks that stand there, and the commands of their images.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { ROOT } from '#server/cli/programs.js';
import { DEBIAN_POSTGRES, newestPostgres } from './needs.js';

const FOLDER = join(ROOT, 'docker');
const Condition = z.enum(['service_started', 'service_healthy', 'service_completed_successfully']);
const Service = z.object({
  image: z.string(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  restart: z.string().optional(),
  depends_on: z
    .union([z.array(z.string()), z.record(z.string(), z.object({ condition: Condition }))])
    .default([])
    .transform((wanted) =>
      Array.isArray(wanted)
        ? wanted.map((name) => ({ name, condition: Condition.enum.service_started }))
        : Object.entries(wanted).map(([name, { condition }]) => ({ name, condition })),
    ),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});

export interface Service {
  name: string;
  program: string;
  args: readonly string[];
  env: Record<string, string>;
  /** that its image names; root by default */
  user?: string;
  needs: readonly { name: string; condition: z.infer<typeof Condition> }[];
  /** Whether it runs until it is stopped. */
  stays: boolean;
  /** the command that tells whether it is well */
  check: readonly string[];
}

const read = (...path: string[]): string => readFileSync(join(FOLDER, ...path), 'utf8');

/** A command of a Dockerfile in its list form. */
function commandOf(dockerfile: string, instruction: string): string[] {
  const [, list = '[]'] = new RegExp(`^(?:${instruction}) (?:.*\\\\\\n +CMD )?(\\[.*\\])$`, 'm').exec(dockerfile) ?? [];
  return z.array(z.string()).min(1).parse(JSON.parse(list));
}

/** What images bring: their command, user and check, and where their files are here. */
function imageOf(image: string): { command: string[]; check?: string[]; user?: string; files?: [string, string][] } {
  const [, name = ''] = /(?:^|\/)([\w-]+)(?::|$)/.exec(image) ?? [];
  switch (name) {
    case 'etcd':
      return { command: [] };
    case 'haproxy':
      // as docker-entrypoint.sh of the image starts it
      return { command: ['haproxy', '-W', '-db', '-f', '/usr/local/etc/haproxy/haproxy.cfg'] };
    case 'marshal-postgres': {
      const file = read('scale', 'postgres.Dockerfile');
      const [, config = ''] = /^COPY patroni\.yaml (\S+)$/m.exec(file) ?? [];
      const [, version = ''] = /^FROM postgres:(\d+)/m.exec(file) ?? [];
      return {
        command: commandOf(file, 'ENTRYPOINT'),
        user: /^USER (\w+)$/m.exec(file)?.[1] ?? '',
        files: [
          [config, join(FOLDER, 'scale', 'patroni.yaml')],
          [join(DEBIAN_POSTGRES, version, 'bin'), join(DEBIAN_POSTGRES, newestPostgres(), 'bin')],
        ],
      };
    }
    case 'marshal': {
      const file = read('Dockerfile');
      return { command: commandOf(file, 'CMD'), check: commandOf(file, 'HEALTHCHECK') };
    }
    default:
      throw new Error(`there is no program for the image ${image}`);
  }
}

/**
 * @param file in `docker/`
 * @param settings the text of `.env`
 * @param volumeAt the folder of a volume on this machine
 */
export function readServices(file: string, settings: string, volumeAt: (volume: string) => string): Service[] {
  // Patroni's package brings this reader, which knows anchors and merges
  const script = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)';
  const text = execFileSync('/usr/bin/python3', ['-c', script], { input: read(file), encoding: 'utf8' });
  const { services } = z.object({ services: z.record(z.string(), Service) }).parse(JSON.parse(text));
  return Object.entries(services).map(([name, service]) => {
    const image = imageOf(service.image);
    const places = service.volumes.map((volume): [string, string] => {
      const [from = '', to = ''] = volume.split(':');
      return [to, from.startsWith('.') ? join(FOLDER, from) : volumeAt(from)];
    });
    const local = (word: string) =>
      [...places, ...(image.files ?? [])].reduce((kept, [there, here]) => kept.replaceAll(there, here), word);
    const files = service.env_file.map((path) => (path === '../.env' ? settings : read(path)));
    const given = Object.assign({}, ...files.map((one) => parseEnv(one)), service.environment) as Record<
      string,
      string
    >;
    const env = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, local(value)]));
    const [program = '', ...args] = [...(service.entrypoint ?? image.command), ...(service.command ?? [])].map(local);
    return {
      name,
      program,
      args,
      env,
      ...(image.user === undefined ? {} : { user: image.user }),
      needs: service.depends_on,
      stays: service.restart !== undefined,
      check: (service.healthcheck?.test ?? ['CMD', ...(image.check ?? [])]).slice(1),
    };
  });
}

/**
 * Starts services as soon as what they depend on is as they want it, in this order where several may start.
 * @param meets waits until a service is as another one wants it
 * @throws for a circle, in which each would wait for another
 */
export async function startInOrder(
  services: readonly Service[],
  start: (service: Service) => void,
  meets: (service: Service, condition: z.infer<typeof Condition>) => Promise<void>,
): Promise<void> {
  const begun = new Map<string, Promise<void>>();
  function begin(name: string, waiting: readonly string[]): Promise<void> {
    if (waiting.includes(name)) throw new Error([...waiting, name].join(' waits for '));
    const service = services.find((one) => one.name === name);
    if (!service) throw new Error(`there is no service ${name}`);
    const earlier = begun.get(name);
    if (earlier) return earlier;
    const needs = service.needs.map((need) => ({ ...need, begun: begin(need.name, [...waiting, name]) }));
    const own = (async () => {
      for (const need of needs) {
        await need.begun;
        const needed = services.find((one) => one.name === need.name);
        if (needed) await meets(needed, need.condition);
      }
      start(service);
    })();
    begun.set(name, own);
    return own;
  }
  await Promise.all(services.map(({ name }) => begin(name, [])));
}
