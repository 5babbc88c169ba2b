import type { KnipConfig } from 'knip';

export default {
  entry: [
    'server/main.ts',
    'server/cli/{go,prepare,start,build,dev,bot-doctor,sbom,archive,install-all,marshal,db-reset}.js',
    'server/cli/{dev,dev-server,migration,docs,bot-doctor,marshal,db-reset}.ts',
    'client/src/routes/**/*.tsx',
    'server/http/rest/docs/{scheme.js,viewer.js,docs.css}',
    'client/src/sw/worker.ts',
    'client/src/prerender.tsx',
    'client/catalogue/main.tsx',
    'client/sdk/build.ts',
    'migrations/*.ts',
    'tests/bench/*.ts',
    'tests/harness/planted/run.ts',
    'tests/steps/list-short.ts',
    'tests/faults/sender-process.ts',
    'tests/security/planted-column.ts',
    'tests/{harness/second-tries,lighthouse}.js',
    'tests/discord/sandbox.js',
    'tests/steps/changed/{command,standing}.ts',
    'tests/discord/sandbox/{main,pictures}.ts',
    'tests/discord/sandbox/page/{app.js,sandbox.css}',
    'tests/api/http/generated-client/main-job.ts',
    'tests/browsers/listener.js',
    'tests/{unit,machine,api,discord,faults,security,ui,e2e,browsers}/**/*.test.{ts,tsx}',
  ],
  // programs for elsewhere: they import marshal-client, which is not installed here
  ignore: ['tests/examples/**'],
  project: ['{client,server,shared,bot,migrations,tests}/**/*.{js,ts,tsx,css}'],
  vite: { config: ['client/vite.config.ts'] },
  vitest: { config: ['tests/vitest.config.ts'] },
  playwright: { config: ['tests/playwright.config.ts'] },
  // A type in the signature of something exported has to be exportable; values have not.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Generated when the test runs.
  ignoreUnresolved: ['./openapi.ts'],
  // Programs of the system, called by name.
  ignoreBinaries: [
    'apt-get',
    'debootstrap',
    'du',
    'openssl',
    'fallocate',
    'buildah',
    'chroot',
    'ip',
    'lua5.1',
    'mount',
    'promtool',
    'tasklist',
    'umount',
    'unshare',
    'useradd',
  ],
  compilers: {
    // Fonts and styles are imported by style sheets.
    css: (text: string) =>
      [...text.matchAll(/(?:@import\s+|url\()['"]([@.][^'"]+)['"]/g)].map(([, path]) => `import '${path}';`).join('\n'),
  },
} satisfies KnipConfig;
