/** Vite plugin that prerenders the front page, for search engines and for visitors before any script has loaded. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { createServer, type Plugin } from 'vite';
import { usedCss } from './used-css.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const PRERENDER = '/src/prerender.tsx';
const NONCE_TOKEN = '__CSP_NONCE__';
const ROOT = /(<div id="root">)[\s\S]*?(<\/div>)(?=\s*<noscript>)/;
const STYLE_SHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>\s*/g;
const BOOT = /<script src="\/boot\.js"/;
const APP = /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>\s*/;
const APP_PART = /<link rel="modulepreload"[^>]*href="([^"]+)"[^>]*>\s*/g;
const CLASS_NAME = /\b_[A-Za-z]+_[a-z0-9]{5}_\d+\b/g;

/** Renders `/` outside a browser. */
async function renderLanding(): Promise<string> {
  const server = await createServer({
    root: folder,
    configFile: false,
    plugins: [react()],
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  try {
    const { renderLanding: render } = await server.ssrLoadModule(PRERENDER);
    return String(await render(NONCE_TOKEN));
  } finally {
    await server.close();
  }
}

/**
 * Writes `landing.html`: index.html with the page's markup and the styles that it uses inlined, so that it needs no other file
 * to be shown; boot.js loads the whole style sheet with the app. The server sends it for `/` only.
 * @throws Error when styles of the prerendered page are missing
 */
export function landingShell(): Plugin {
  return {
    name: 'marshal:landing-shell',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const index = bundle['index.html'];
      const landing = Object.values(bundle).find(
        (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith('/features/landing/hero.tsx')),
      );
      if (index?.type !== 'asset' || landing?.type !== 'chunk') {
        throw new Error('The build has no index.html, or no chunk with the landing page.');
      }
      const html = String(index.source);
      const markup = await renderLanding();

      // In the order in which the live page loads them: shared styles first, then those of this page.
      const [styles, ...others] = [...html.matchAll(STYLE_SHEET)].map(([, file]) => file ?? '');
      if (styles === undefined || others.length > 0) throw new Error('index.html has no style sheet, or several.');
      const sheets = new Set([styles]);
      for (const name of [...landing.imports, landing.fileName]) {
        const chunk = bundle[name];
        const own = chunk?.type === 'chunk' ? (chunk.viteMetadata?.importedCss ?? []) : [];
        for (const file of own) sheets.add(file);
      }
      const css = [...sheets]
        .map((file) => bundle[file])
        .map((file) => (file?.type === 'asset' ? String(file.source) : ''))
        .join('');

      const strange = [...markup.matchAll(CLASS_NAME)].map(([name]) => name).filter((name) => !css.includes(name));
      if (strange.length > 0)
        throw new Error(`The prerendered page is missing styles: ${[...new Set(strange)].join(', ')}`);
      const app = APP.exec(html)?.[1];
      const parts = [...html.matchAll(APP_PART)].map(([, file]) => file).join(' ');
      if (app === undefined || !BOOT.test(html)) throw new Error('index.html starts no app, or has no /boot.js.');
      if (!ROOT.test(html)) throw new Error('index.html has no #root before its <noscript>.');
      this.emitFile({
        type: 'asset',
        fileName: 'landing.html',
        source: html
          .replace(STYLE_SHEET, '')
          .replace(APP, '')
          .replaceAll(APP_PART, '')
          .replace(BOOT, `$& data-app="${app}" data-parts="${parts}" data-styles="/${styles}"`)
          .replace('</head>', () => `<style nonce="${NONCE_TOKEN}">${usedCss(css, markup)}</style></head>`)
          .replace(ROOT, (_all, open: string, close: string) => `${open}<div data-shell>${markup}</div>${close}`),
      });
    },
  };
}
