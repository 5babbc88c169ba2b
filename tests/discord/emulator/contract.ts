/** Whether requests and answers are in Discord's words. */
import { refusals } from './errors.ts';
import type { World } from './state.ts';

export function readBody(world: World, _name: string, text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    world.violate('A request body is not JSON');
    throw refusals.notFound();
  }
}
export function checkRequest(_world: World, _method: string, _path: string, _call: unknown): void {
  // schemas follow
}
export function checkAnswer(_world: World, _method: string, _path: string, _status: number, _body: unknown): void {
  // schemas follow
}
