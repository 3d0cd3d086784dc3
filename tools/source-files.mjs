import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

import { root } from './installed.mjs'

/** Changes when a file below these paths changes: its size and time instead of its content, which takes longer to read. */
export function fingerprintOfTimes(sources) {
  const hash = createHash('sha256').update(root)
  for (const file of sources.flatMap((source) => filesBelow(join(root, source)))) {
    if (file.includes('.test.')) continue
    const { size, mtimeMs } = statSync(file)
    hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 32)
}

export function filesBelow(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
