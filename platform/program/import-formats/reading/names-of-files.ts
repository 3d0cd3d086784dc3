import { dirname } from 'node:path'

import type { ResultFile } from './result-files.ts'
import type { Claimed } from './result-format.ts'

/**
 * Tells files of one name apart by their folders, from where these differ. Null for a file whose name is its own: such a file
 * is the same wherever it lies.
 */
export function foldersThatDiffer<File extends { path: string }>(
  files: readonly File[],
  nameOf: (file: File) => string,
) {
  const foldersOf = ({ path }: File) => dirname(path).split('/')
  const depths = new Map(
    [...Map.groupBy(files, nameOf)].map(([name, group]) => {
      const [first = [], ...others] = group.map(foldersOf)
      const longest = Math.max(first.length, ...others.map((folders) => folders.length))
      let depth = 0
      while (depth < longest && others.every((folders) => folders[depth] === first[depth])) depth += 1
      return [name, depth]
    }),
  )
  return (file: File): string | null =>
    foldersOf(file)
      .slice(depths.get(nameOf(file)) ?? 0)
      .join('/') || null
}

/** The same for files whose content is never equal by chance: those of one name and one size are copies. */
export function foldersOfOthers(claimed: readonly Claimed[], nameOf: (file: ResultFile) => string) {
  const keyOf = (file: ResultFile) => `${file.size}/${nameOf(file)}`
  const firsts = new Map(claimed.toReversed().map(({ file }) => [keyOf(file), file]))
  const folderOf = foldersThatDiffer([...firsts.values()], nameOf)
  return (file: ResultFile) => folderOf(firsts.get(keyOf(file)) ?? file)
}
