import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

import { shortClassNames } from './tools/short-class-names.mjs'

const sources = fileURLToPath(new URL('src', import.meta.url))
const bff = `http://127.0.0.1:${process.env['PORT'] ?? '4400'}`

/** Large libraries, which only some pages need: each is a file of its own. */
const libraries = [
  { name: 'editor', test: /node_modules.(@codemirror|@lezer|@uiw|style-mod|crelt|w3c-keyname)/, minShareCount: 2 },
  {
    name: 'markdown',
    test: /node_modules.(react-markdown|remark|micromark|mdast|hast|unified|unist|vfile|property-inf)/,
  },
  {
    name: 'recharts',
    test: /node_modules.(recharts|victory-vendor|d3-|internmap|@reduxjs|redux|react-redux|reselect|immer|es-toolkit|decimal|eventemitter3)/,
    minShareCount: 2,
  },
  { name: 'yaml', test: /node_modules.js-yaml/ },
]

/**
 * Few files per page instead of one per shared module: what the shell and the first page load, what four pages or more
 * share, what every tab of an experiment loads. Left to themselves, shared modules make some forty requests of a page. A
 * group takes the modules that its own import with it, so modules that need a library are a group of their own: otherwise
 * every page would load an editor.
 */
const groups = [
  { name: 'shell', tags: ['$initial' as const], priority: 5 },
  // Tables and charts use it, and a table does not need charts.
  { name: 'store', test: /node_modules.use-sync-external-store/, priority: 5 },
  ...libraries.map((library) => ({ ...library, priority: 4 })),
  {
    name: nameWithLibraries('shared'),
    debugName: 'shared',
    test: /@mantine|@tanstack|@floating-ui|^(?!.*node_modules).*.(src|contract|statistics)./,
    minShareCount: 4,
    priority: 2,
  },
  {
    name: nameWithLibraries('experiment'),
    debugName: 'experiment',
    test: /src.features.(experiments.ExperimentPage|submit.SubmitOutlet|results.(ResultsTab|to-candidates))/,
    priority: 1,
  },
]

type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }

/**
 * The group's name, followed by the libraries that a module imports, itself or through others. A module that draws charts is in
 * none: the group would take what is drawn without the library with it, and every page would load the library.
 */
function nameWithLibraries(group: string) {
  const known = new Map<string, Set<string>>()
  const librariesOf = (id: string, modules: Modules): Set<string> => {
    const found = known.get(id)
    if (found) return found
    const own = new Set(libraries.filter(({ test }) => test.test(id)).map(({ name }) => name))
    known.set(id, own)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? [])
      for (const library of librariesOf(imported, modules)) own.add(library)
    return own
  }
  return (id: string, modules: Modules) => {
    const needed = librariesOf(id, modules)
    return needed.has('recharts') ? null : [group, ...[...needed].toSorted()].join('-')
  }
}

export default defineConfig(({ command }) => ({
  plugins: [react()],
  css: {
    postcss: { plugins: [mantine()] },
    modules: command === 'build' ? { generateScopedName: shortClassNames(sources) } : {},
  },
  // The BFF replaces this text with the nonce of each response.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: {
    proxy: {
      '/api': bff,
      '/admin': bff,
      '/session': bff,
      '/healthz': bff,
      '/checkout': bff,
      '/unsubscribe': bff,
      '/docs/api/openapi.json': bff,
    },
  },
}))
