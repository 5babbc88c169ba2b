import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/**
 * A component in a chunk of its own. The router's `lazyRouteComponent` is for routes, which are loaded before they are
 * shown: where it has to wait in the middle of a page, a development build of React complains of it in the console.
 * @param pick the component among the chunk's exports
 */
export function lazyPart<Module, Props>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: pick(await load()) }));
}
