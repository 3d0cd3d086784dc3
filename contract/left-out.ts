import type { ImportLeftOut } from './imports.ts'
import { counted } from '#contract/wire/counted.ts'

/** What is left out for one reason; `files` has each once. `count` is 0 for notes about something that came in. */
export type LeftOutGroup = { what: 'file' | 'folder' | 'trial'; reason: string; files: string[]; count: number }

/** What an import leaves out, by reason, the first reason first. */
export function groupLeftOut(leftOut: readonly ImportLeftOut[]): LeftOutGroup[] {
  const groups = new Map<string, Omit<LeftOutGroup, 'files'> & { files: Set<string> }>()
  for (const { what = 'file', file, reason, count = 1 } of leftOut) {
    const key = JSON.stringify([what, reason, count === 0])
    const group = groups.get(key) ?? { what, reason, files: new Set<string>(), count: 0 }
    group.files.add(file)
    group.count += count
    groups.set(key, group)
  }
  return [...groups.values()].map((group) => ({ ...group, files: [...group.files] }))
}

const maxNamed = 5

/** A few of many, in one line. */
function nameSome(names: readonly string[]) {
  const shown = names.slice(0, maxNamed)
  const more = names.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`
}

const nouns = ['file', 'folder', 'trial'] as const

/** For a terminal: how many files, folders and trials are left out, then a line for each reason. */
export function describeLeftOut(leftOut: readonly ImportLeftOut[]): string[] {
  if (leftOut.length === 0) return []
  const groups = groupLeftOut(leftOut)
  const counts = nouns.flatMap((noun) => {
    const count = groups.reduce((sum, group) => sum + (group.what === noun ? group.count : 0), 0)
    return count === 0 ? [] : [counted(count, noun)]
  })
  return [
    counts.length === 0 ? 'Notes:' : `Left out ${counts.join(', ')}:`,
    ...groups.map(({ files, reason, count }) => `${count === 0 ? 'About' : 'Skipped'} ${nameSome(files)}: ${reason}`),
  ]
}
