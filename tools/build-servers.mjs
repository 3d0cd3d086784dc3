import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { isRelease, note, root } from './installed.mjs'
import { fingerprintOfTimes } from './source-files.mjs'

/** The programs that are started as processes. Others, such as the analytics engines, run from their sources. */
const entries = {
  platform: 'platform/main.ts',
  BFF: 'BFF/main.ts',
  assay: 'platform/program/cli/main.ts',
  client: 'client/bin.ts',
  people: 'BFF/oidc/people-command.ts',
}
/** What the programs are built from, files and folders. */
export const serverSources = [
  'platform',
  'BFF',
  'client',
  'src',
  'contract',
  'server-kit',
  'statistics',
  'tools/build-servers.mjs',
  'package-lock.json',
]

/** They find native or WebAssembly files beside themselves. */
const unbundled = /^(@electric-sql\/pglite($|\/)|chdb$|pg$|pg-native$)/

const builds = join(root, 'node_modules/.cache/assay-servers')
const builtIn = (build, name) => join(build, `${name}.mjs`)

/** A server that still runs from an older build may load more of its files later. */
const keptBuilds = 5

let built

/**
 * The file to start a program from: bundled, because loading 1,900 modules one by one takes three times as long. Builds
 * when the sources have changed. Where that fails, and in a release without a bundle, it is the source, which works as
 * well.
 */
export async function serverFile(name) {
  try {
    const build = await (built ??= ensureServersBuilt())
    return build ? builtIn(build, name) : serverSource(name)
  } catch (error) {
    note(`The servers start from their sources, because bundling failed: ${error.message}`)
    return serverSource(name)
  }
}

export const serverSource = (name) => join(root, entries[name])

async function ensureServersBuilt() {
  const build = join(builds, fingerprintOfTimes(serverSources))
  // It has no bundler, unless an image was built with a bundle.
  if (!existsSync(build) && isRelease(root)) return null
  // A process of its own, because the memory of the bundler would stay with the caller for as long as it runs.
  if (!existsSync(build)) await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), build])
  return build
}

async function buildServers(build) {
  // Written under another name, so that a build is either whole or absent.
  const next = `${build}.${randomUUID()}`
  mkdirSync(builds, { recursive: true })
  removeOldBuilds()
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)])),
    platform: 'node',
    external: (name) => unbundled.test(name),
    plugins: [keepAddresses, withoutFetch],
  })
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
  await bundle.write({ dir: next, format: 'esm', ...names })
  await bundle.close()
  try {
    renameSync(next, build)
  } catch (error) {
    // Another start built the same at the same time.
    if (!existsSync(build)) throw error
    rmSync(next, { recursive: true, force: true })
  }
}

/** In a bundle, a module would look for the files beside itself in the bundle's folder. */
const keepAddresses = {
  name: 'keep-addresses',
  transform(code, file) {
    if (!file.startsWith(root) || file.includes('node_modules') || !code.includes('import.meta.url')) return null
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
  },
}

/**
 * Node's own fetch takes 25 ms to load, and no server needs it to start. It loads when anything reads certain properties: an import
 * of node:http reads them all, and undici's cookies, which nobody uses, read the global Headers.
 */
const withoutFetch = {
  name: 'without-fetch',
  resolveId: (id, _importer, { kind }) => (id === 'node:http' && kind !== 'require-call' ? lightHttp : null),
  load(id) {
    if (/undici.lib.web.cookies.index\.js$/.test(id)) return 'module.exports = {}'
    if (id !== lightHttp) return null
    const described = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule('node:http')))
    const names = described.filter(([, property]) => 'value' in property).map(([name]) => name)
    return `const http = process.getBuiltinModule('node:http')\nexport default http\nexport const { ${names.join(', ')} } = http`
  },
}
const lightHttp = '\0light-http'

function removeOldBuilds() {
  const age = (name) => statSync(join(builds, name)).mtimeMs
  const newestFirst = readdirSync(builds).sort((a, b) => age(b) - age(a))
  for (const name of newestFirst.slice(keptBuilds)) rmSync(join(builds, name), { recursive: true, force: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildServers(process.argv[2])
