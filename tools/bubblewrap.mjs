import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

import { note } from './installed.mjs'

export const hasProgram = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Installs Debian packages if that needs no password. Returns whether it succeeded. */
export function aptInstall(...packages) {
  if (process.platform !== 'linux' || !hasProgram('apt-get')) return false
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  if (asRoot.length > 0 && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (...command) => {
    const [program, ...rest] = [...asRoot, ...command]
    return spawnSync(program, rest, { env, stdio: 'ignore' }).status === 0
  }
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages]
  return run(...install) || (run('apt-get', 'update') && run(...install))
}

const imageTools = ['skopeo', 'umoci', 'docker-registry']

/** Tests of images need a registry, and are skipped without one. */
export function ensureImageTools() {
  if (process.platform !== 'linux' || imageTools.every(hasProgram)) return
  note('Installing skopeo, umoci and a registry, for the tests of images…')
  if (!aptInstall(...imageTools)) note('They could not be installed, so tests of images are skipped.')
}

/** Real runs need a sandbox. Everything else works without one, and the page says what is missing. */
export function ensureBubblewrap() {
  if (process.platform !== 'linux' || process.env.SANDBOX || hasProgram('bwrap')) return
  note('Installing bubblewrap, the sandbox for real runs…')
  if (!aptInstall('bubblewrap')) note('bubblewrap could not be installed, so real runs are not available.')
}
