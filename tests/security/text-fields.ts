/** Every text that a call takes, found in the OpenAPI document, and the call with a text in one of these places. */
import { REST_TABLE } from '#server/http/rest/read-operations.ts';
import { OPERATIONS } from '#tests/api/http/operations.ts';
import { readContract, type Contract, type ContractOperation } from '#tests/fuzz/contract.ts';
import { givenReach } from '#tests/fuzz/reach.ts';
import { cookieFor } from '#tests/fuzz/twins.ts';
import { pathsOf, withChange, type Path } from '#tests/harness/junk.ts';
import type { Service } from '#tests/harness/service.ts';
import { ask, isRecord, type Reply } from '#tests/harness/transports.ts';

/** Inputs of any text: strings without a closed list or a pattern. Addresses are texts, too. */
function textFields({ input }: ContractOperation, resolve: Contract['resolve']): { path: Path; max: number }[] {
  return pathsOf(input, resolve).flatMap((path) => {
    const schema = path.reduce<unknown>((at, part) => {
      const { properties, items, anyOf } = resolve(at);
      const choices = [properties, ...(Array.isArray(anyOf) ? anyOf.map((one) => resolve(one).properties) : [])];
      if (part === 0) return items;
      return choices.map((one) => (isRecord(one) ? one[String(part)] : undefined)).find((one) => one !== undefined);
    }, input);
    const variants = [resolve(schema), ...[resolve(schema).anyOf ?? []].flat().map(resolve)];
    const text = variants.find((one) => [one.type].flat().includes('string') && !('enum' in one || 'const' in one));
    if (!text || 'pattern' in text || ('format' in text && text.format !== 'uri')) return [];
    return [{ path, max: typeof text.maxLength === 'number' ? Math.min(text.maxLength, 4_000) : 100 }];
  });
}

const GUILD_ID = '100200300400500600';
const LINK = { kind: 'chart', title: 'Chart', url: 'https://charts.example.org/a.pdf' };

export interface TextField {
  /** `admin.createMission links.0.title` */
  name: string;
  max: number;
  /** Makes the call with this text, by its own account. @returns null if its input has no such place */
  send: (text: string) => Promise<Reply | null>;
}

/** Every text of every call that writes. Each call succeeds at least once. */
export async function givenTextFields(service: Service): Promise<TextField[]> {
  const reach = await givenReach(service);
  const document = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
  const contract = readContract(document as Record<string, unknown>);

  /** Optional parts with text that the inputs of these calls leave out. */
  async function optionalParts(procedure: string): Promise<Record<string, unknown>> {
    if (procedure === 'admin.createMission' || procedure === 'admin.mission.dryRun')
      return { links: [LINK], guildIds: [GUILD_ID] };
    if (procedure === 'pilot.updateProfile') return { seen: { displayName: 'Maverick', timeZone: 'UTC' } };
    if (procedure !== 'admin.mission.edit' && procedure !== 'admin.mission.previewEdit') return {};
    const { admin, subject } = reach.world;
    const { body } = await admin.client.call('GET', `/admin/missions/${subject.missionId}`);
    const [{ id, callsign }] = body.packages;
    const slot = { aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP', additionalNotes: 'Fox two' };
    const packages = [{ id, callsign, objective: 'Sweep' }];
    return { links: [LINK], guildIds: [GUILD_ID], packages, addAircraftSlots: [slot] };
  }

  async function send(procedure: string, path: Path, text: string): Promise<Reply | null> {
    const once = reach.once[procedure];
    const stated = typeof once?.input === 'function' ? once.input() : once?.input;
    const input: unknown = stated ?? OPERATIONS[procedure]?.input(reach.world.subject) ?? {};
    const whole = withChange({ ...Object(input), ...(await optionalParts(procedure)) }, path, text);
    if (!JSON.stringify(whole).includes(JSON.stringify(text))) return null;
    const cookies = [await cookieFor(service, once?.as ?? reach.world.subject.id), once?.cookie];
    return ask(service, 'trpc', procedure, whole, cookies.filter((one) => one !== undefined).join('; '));
  }

  return REST_TABLE.filter(([method]) => method !== 'get').flatMap(([method, template, procedure]) => {
    const address = template.replace(/:(\w+)/g, '{$1}');
    const operation = contract.operations.find((one) => one.method === method && one.path === address);
    if (!operation) throw new Error(`${procedure} is not in the document`);
    return textFields(operation, contract.resolve).map(({ path, max }) => ({
      name: `${procedure} ${path.join('.')}`,
      max,
      send: (text: string) => send(procedure, path, text),
    }));
  });
}
