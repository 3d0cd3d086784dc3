// Runs before anything is installed, on Node 20 or newer: imports nothing but Node itself.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The project's own Node 24, an npm package: the system's may be older. */
export const node = `${root}node_modules/node/bin/node`

const stamp = `${root}node_modules/.assay-installed`

export function note(line) {
  process.stderr.write(`${line}\n`)
}

/** Installs what package.json and the lockfile ask for, unless exactly that is installed already. */
export function ensureInstalled() {
  const wanted = fingerprintOfDependencies()
  if (existsSync(node) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  note('Installing dependencies (about half a minute, once)…')
  // Not `npm ci`: it fails where a registry lacks the optional package of a foreign platform.
  // --no-save keeps the lockfile as it is.
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', ...flags], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('npm install failed; its message stands above')
  if (!existsSync(node)) throw new Error('npm installed no Node 24; are install scripts switched off (ignore-scripts)?')
  writeFileSync(stamp, wanted)
}

function fingerprintOfDependencies() {
  const { dependencies, devDependencies, overrides } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  return createHash('sha256')
    .update(JSON.stringify([dependencies, devDependencies, overrides, process.platform, process.arch]))
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex')
}
