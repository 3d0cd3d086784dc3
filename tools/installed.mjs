// Runs before anything is installed, on Node 20 or newer, so it imports only Node's own modules.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const ownNode = `${root}node_modules/node/bin/node`

/**
 * Whether a folder is a built release without the packages for development: the app is built, what the servers need is
 * installed (`npm install --omit=dev`), and nothing that could build is.
 */
export function isRelease(folder) {
  const has = (path) => existsSync(`${folder}${path}`)
  if (!has('dist/.built-from') || has('node_modules/vite') || has('node_modules/node')) return false
  const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
  return Object.keys(dependencies).every((name) => has(`node_modules/${name}`))
}

const isBuiltRelease = isRelease(root)
const oldestNode = 24

/**
 * The project's own Node, from an npm package, because the system's Node may be older. A release runs with the system's,
 * which must be new enough.
 */
export const node = isBuiltRelease ? process.execPath : ownNode

/** For NODE_COMPILE_CACHE: type stripping and compilation then happen once, not at every start of a program. */
export const compileCache = `${root}node_modules/.cache/compile`

const stamp = `${root}node_modules/.assay-installed`

export function note(line) {
  process.stderr.write(`${line}\n`)
}

/** Installs the packages of package.json and the lockfile, unless exactly these are installed. */
export function ensureInstalled() {
  if (isBuiltRelease) return requireNode()
  const wanted = fingerprintOfDependencies()
  if (existsSync(node) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  note('Installing dependencies (about half a minute, once)…')
  // Not `npm ci`: it fails where a registry lacks the optional package of a foreign platform.
  // --no-save keeps the lockfile unchanged.
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', ...flags], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('npm install failed. See its message above')
  if (!existsSync(node))
    throw new Error('npm did not install Node 24. Install scripts may be disabled (ignore-scripts)')
  writeFileSync(stamp, wanted)
}

function requireNode() {
  if (Number.parseInt(process.versions.node) >= oldestNode) return
  throw new Error(
    `Without its development packages Assay needs Node ${oldestNode}, and this is ${process.versions.node}`,
  )
}

function fingerprintOfDependencies() {
  const { dependencies, devDependencies, overrides } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  return createHash('sha256')
    .update(JSON.stringify([dependencies, devDependencies, overrides, process.platform, process.arch]))
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex')
}
