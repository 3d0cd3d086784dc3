import { mkdirSync, statSync } from 'node:fs'

const forOthers = 0o077

const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

/**
 * Creates a data folder for its owner only, or refuses one that others can open, because it has the encryption keys.
 */
export function requirePrivateFolder(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32' || (statSync(folder).mode & forOthers) === 0) return
  throw new Error(
    `Other users of this machine can open the data folder ${folder}. Restrict it with: chmod -R go= ${quoted(folder)}`,
  )
}
