// Bundles zod without its messages in fifty other languages, half of its source, which nothing of Grove asks for.

const ZOD = /[\\/]node_modules[\\/]zod[\\/]v4[\\/]/

/** An esbuild plugin: an empty module in place of zod's list of languages. English, its default, is not taken from there. */
export function withoutZodLocales() {
  return {
    name: 'without-zod-locales',
    setup({ onResolve, onLoad, onEnd }) {
      let found = false
      onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ importer, path }) => {
        if (!ZOD.test(importer)) return undefined
        found = true
        return { path, namespace: 'without-zod-locales' }
      })
      onLoad({ filter: /.*/, namespace: 'without-zod-locales' }, () => ({ contents: 'export {}' }))
      onEnd(() => ({ errors: found ? [] : [{ text: UNUSED }] }))
    },
  }
}

const UNUSED = 'zod no longer imports ../locales/index.js: correct or remove scripts/zod-locales.mjs.'
