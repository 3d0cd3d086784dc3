import type { RecordedFile } from './manifest.ts'

/** Whether the name stays below the folder that it is written to. */
const isInside = (path: string) => !path.includes('\0') && !/(?:^|\/)\.{0,2}(?:\/|$)/.test(path)

/**
 * The files that a program can write again by their names. Masked names can be equal, or lead through a link of the same
 * run, so a file below another one, or with its name, would be written elsewhere.
 */
export function portableFiles(files: readonly RecordedFile[]): RecordedFile[] {
  const below = pathsBelow(files.flatMap(({ path, after }) => (after ? [path] : [])))
  const seen = new Set<string>()
  return files.filter(({ path, after }) => {
    const isFirst = !seen.has(path)
    seen.add(path)
    return isInside(path) && isFirst && (after === null || !below.has(path))
  })
}

/**
 * The paths that are below another one. Sorted by folder, what is below a path follows it, so each is compared with one
 * other: a path can name thousands of folders.
 */
function pathsBelow(paths: readonly string[]): ReadonlySet<string> {
  const sorted = paths.map((path) => ({ path, key: keyOf(path) })).toSorted((a, b) => Buffer.compare(a.key, b.key))
  const below = new Set<string>()
  let folder: Buffer | null = null
  for (const { path, key } of sorted) {
    const isBelow = folder !== null && key[folder.length] === 0 && key.subarray(0, folder.length).equals(folder)
    if (isBelow) below.add(path)
    else folder = key
  }
  return below
}

const slash = 0x2f

/** With a zero byte for each slash, which sorts before every other sign. */
function keyOf(path: string): Buffer {
  const key = Buffer.from(path)
  for (let at = 0; at < key.length; at += 1) if (key[at] === slash) key[at] = 0
  return key
}
