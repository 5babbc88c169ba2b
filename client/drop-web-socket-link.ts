/** The build leaves out tRPC's WebSocket link, which Marshal does not use and every page would load. */
import type { Plugin } from 'vite';

/** One assignment to a static field keeps the whole link in the bundle; as "pure" it goes with the class nobody uses. */
const ASSIGNMENT = '_defineProperty(WsConnection, "connectCount", 0);';

export function dropWebSocketLink(): Plugin {
  return {
    name: 'marshal:drop-web-socket-link',
    apply: 'build',
    transform: {
      filter: { id: /@trpc[\\/]client[\\/]dist[\\/]wsLink-/ },
      handler(code) {
        if (!code.includes(ASSIGNMENT)) {
          this.warn('tRPC changed: look at what of its WebSocket link the entry holds now.');
        }
        return { code: code.replace(ASSIGNMENT, `/* @__PURE__ */ ${ASSIGNMENT}`), map: null };
      },
    },
  };
}
