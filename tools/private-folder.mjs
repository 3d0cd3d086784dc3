import { mkdirSync, statSync } from 'node:fs'

const quoted = (path) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

/** Checks the folder like the platform, but earlier, because the logs of its processes are written there. */
export function requirePrivateFolder(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32' || (statSync(folder).mode & 0o077) === 0) return
  throw new Error(
    `Other users of this machine can open the data folder ${folder}. Restrict it with: chmod -R go= ${quoted(folder)}`,
  )
}
