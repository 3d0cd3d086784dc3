import type { RecordedFile } from './manifest.ts'

/** Whether the name stays below the folder that it is written to. */
const isInside = (path: string) =>
  !path.includes('\0') && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')

/**
 * The files that a program can write again by their names. Masked names can be equal, or lead through a link of the same
 * run, so a file below another one, or with its name, would be written elsewhere.
 */
export function portableFiles(files: readonly RecordedFile[]): RecordedFile[] {
  const present = new Set(files.flatMap(({ path, after }) => (after ? [path] : [])))
  const seen = new Set<string>()
  return files.filter(({ path, after }) => {
    const isFirst = !seen.has(path)
    seen.add(path)
    return isInside(path) && isFirst && (after === null || !foldersOf(path).some((folder) => present.has(folder)))
  })
}

const foldersOf = (path: string) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))
