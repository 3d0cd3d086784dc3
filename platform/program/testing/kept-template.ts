import { createHash, randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { link, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Changes with the migrations and with the version of the embedded database. */
const fingerprint = createHash('sha256')
for (const path of [
  ...globSync('platform/ground/database/migrations/**', { cwd: root }),
  'package-lock.json',
].toSorted())
  if (/\.(sql|json)$/.test(path)) fingerprint.update(readFileSync(join(root, path)))
const cache = join(root, 'node_modules/.cache/assay-test-state', fingerprint.digest('hex').slice(0, 16))

/**
 * The path of something that takes seconds to make, such as a migrated database. It is made once for all processes and
 * later runs, under another name first, so that it is either whole or absent.
 */
export async function keptTemplate(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = join(cache, name)
  if (existsSync(path)) return path
  const next = `${path}.${randomUUID()}`
  await mkdir(dirname(path), { recursive: true })
  await make(next)
  try {
    // Unlike a rename, a link never replaces a file that another process is reading.
    if ((await stat(next)).isDirectory()) await rename(next, path)
    else await link(next, path)
  } catch (error) {
    // Another process made the same at the same time.
    if (!existsSync(path)) throw error
  }
  await rm(next, { recursive: true, force: true })
  return path
}
