import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/**
 * Lazily loaded component in a separate chunk. The router's `lazyRouteComponent` is for routes, which load before they
 * are shown; in the middle of a page it makes a development build of React log a warning.
 * @param pick the component among the chunk's exports
 */
export function lazyPart<Module, Props>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: pick(await load()) }));
}
