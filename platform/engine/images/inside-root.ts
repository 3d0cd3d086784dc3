import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'

const maxLinks = 40

/**
 * Follows links like a program inside this root does, so that no link leads out of it. Returns the real path inside;
 * parts that do not exist stay as they are.
 */
export async function realPathInside(root: string, path: string): Promise<string | null> {
  let found: string[] = []
  const left = partsOf(path)
  for (let links = 0; left.length > 0;) {
    const part = left.shift() ?? ''
    if (part === '..') {
      found.pop()
      continue
    }
    const place = join(root, ...found, part)
    const stats = await lstat(place).catch(() => null)
    if (!stats?.isSymbolicLink()) {
      found.push(part)
      continue
    }
    links += 1
    if (links > maxLinks) return null
    const target = await readlink(place)
    if (target.startsWith('/')) found = []
    left.unshift(...partsOf(target))
  }
  return `/${found.join('/')}`
}

const partsOf = (path: string) => path.split('/').filter((part) => part !== '' && part !== '.')
