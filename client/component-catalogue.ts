/** Vite plugin for the component catalogue at /dev/components, in the development server only. */
import type { Plugin } from 'vite';

const ADDRESS = '/dev/components';
const PAGE = '/catalogue/index.html';

export function componentCatalogue(): Plugin {
  return {
    name: 'marshal:component-catalogue',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (request.url?.split('?', 1)[0] === ADDRESS) {
          request.url = PAGE;
        }
        next();
      });
    },
  };
}
