// Preloaded into processes that import drizzle-orm: Node parses that package's 180 kB package.json again for each of
// about
// a hundred imports, which is half of the platform's start time. Once found, its files are ES modules, like its entry.
import { registerHooks } from 'node:module'

const found = new Map()

registerHooks({
  resolve(specifier, context, next) {
    if (!context.conditions.includes('import')) return next(specifier, context)
    if (specifier.startsWith('.') && /\/drizzle-orm\/.*\.js$/.test(context.parentURL ?? ''))
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context)
    const { url } = found.get(specifier) ?? next(specifier, context)
    found.set(specifier, { url })
    return { url, format: 'module', shortCircuit: true }
  },
})
