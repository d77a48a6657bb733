// The bundles a hook process runs. CommonJS in one file each, because that is what starts fastest.
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

/** Builds hook.cjs, hook-standalone.cjs and what the latter loads only where it is wanted; resolves to the files written. */
export async function buildHooks({ root, out, define }) {
  const bundle = (entry, name, more = {}) =>
    build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile: join(out, name),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      define: { ...define, 'import.meta.url': 'groveUrl', 'import.meta.dirname': '__dirname' },
      banner: { js: "const groveUrl = require('node:url').pathToFileURL(__filename).href;" },
      external: ['@photostructure/sqlite', 'pg-native'],
      // Read with every start, so whitespace goes; names stay, for whoever reads a stack trace.
      minifyWhitespace: true,
      minifySyntax: true,
      // Compiled code that is kept between starts cannot import, only require.
      supported: { 'dynamic-import': false },
      charset: 'ascii',
      legalComments: 'none',
      metafile: true,
      logLevel: 'warning',
      ...more,
    })
  const built = await Promise.all([
    bundle('src/hooks/command.ts', 'hook.cjs', { banner: {} }),
    bundle('src/daemon/hook-standalone.ts', 'hook-standalone.cjs', { plugins: [leanStandalone] }),
    bundle('src/storage/sql/postgres.ts', 'hook-postgres.cjs'),
  ])
  return built.flatMap(({ metafile }) => Object.keys(metafile.outputs).map((file) => resolve(root, file)))
}

/** Keeps out of the standalone runner what it never or rarely uses: the source alone would cost a tenth of the start. */
const leanStandalone = {
  name: 'lean-standalone',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#storage\/sql\/postgres\.ts$/ }, () => ({ path: './hook-postgres.cjs', external: true }))
    // A hook process asks no judge: daemon/hook-standalone.ts sees to that.
    onResolve({ filter: /^#llm\/choose\.ts$/ }, () => ({ path: 'judge', namespace: 'absent' }))
    // Messages in forty languages, of which English is built in.
    onResolve({ filter: /locales\/index\.js$/ }, ({ importer }) =>
      /[\\/]zod[\\/]/.test(importer) ? { path: 'locales', namespace: 'absent' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {}' }))
  },
}
