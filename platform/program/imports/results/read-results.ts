import { posix } from 'node:path'

import { formatTitles } from '#contract/import-formats.ts'
import { messageOf } from '#contract/wire/message-of.ts'
import type { ResultFile } from '#platform/program/import-formats/reading/result-files.ts'
import type { FoundRun } from '#platform/program/import-formats/reading/found-run.ts'
import { lookAtFile } from '#platform/program/import-formats/reading/look-at-file.ts'
import type { Claimed, Reading, ResultFormat } from '#platform/program/import-formats/reading/result-format.ts'
import type { LeftOut } from '#platform/program/import-formats/reading/left-out.ts'
import { type Inputs, sortFiles } from './sort-files.ts'

export type Found = { format: ResultFormat; run: FoundRun }

/** Called while results are read. */
type Notes = {
  /** The tables, and the files that no format knows or uses. */
  tables: (found: { tables: readonly ResultFile[]; unknown: readonly ResultFile[] }) => Promise<void>
  exported: Reading['noteExported']
}

/**
 * Reads all results below some paths: recognizes the format of every file by its content, and yields runs format by format.
 * Two calls with the same files yield the same runs in the same order. `leaveOut` gets what is no run, with its reason.
 */
export async function* readResults(
  inputs: Inputs,
  leaveOut: (left: LeftOut) => void,
  notes: Notes = { tables: async () => {}, exported: () => {} },
): AsyncGenerator<Found> {
  const { formats, options } = inputs
  const { files, claims, unknown, unread } = await sortFiles(inputs, leaveOut)
  const tables = formats.find(({ id }) => id === 'table')
  const hasExport = [...claims.keys()].some(({ id }) => id === 'assay')
  const leaveOutFiles = (left: readonly ResultFile[], reason: string) =>
    left.forEach(({ path }) => leaveOut({ what: 'file', file: path, reason }))
  const used = new Set<ResultFile>()
  const keys = new Set<string>()
  const copies: LeftOut[] = []
  const neighbours = neighboursOf(files)
  for (const format of formats) {
    const claimed = claims.get(format)
    if (!claimed) continue
    if (hasExport && format.id !== 'assay') {
      const reason = 'an exported experiment is imported on its own'
      leaveOutFiles(claimed, reason)
      continue
    }
    const reading: Reading = {
      ...neighbours,
      files: claimed.map(toClaimed),
      others: (id) => (claims.get(formats.find((each) => each.id === id) ?? format) ?? []).map(toClaimed),
      markUsed: (...more) => more.forEach((file) => used.add(file)),
      leaveOut,
      noteExported: notes.exported,
      options,
    }
    try {
      for await (const run of format.read(reading)) {
        const key = JSON.stringify(run.key)
        if (keys.has(key))
          copies.push({ what: 'trial', file: run.file, reason: 'it is a copy of a run in another file' })
        else yield { format, run }
        keys.add(key)
      }
    } catch (error) {
      const reason = `the rest of ${formatTitles[format.id]} could not be read: ${messageOf(error)}`
      leaveOutFiles(claimed, reason)
    }
  }
  copies.forEach(leaveOut)
  const rest = unknown.filter((file) => !used.has(file))
  // Not earlier: settings beside a trial can look like a table, and only their reader knows what they are.
  await notes.tables({ tables: (tables && claims.get(tables)) ?? [], unknown: rest })
  for (const file of rest.filter((file) => unread.has(file)))
    leaveOut({ what: 'file', file: file.path, reason: unread.get(file) ?? '' })
  leaveOutFiles(
    rest.filter((file) => !unread.has(file) && file.size > 0),
    'no known format of results',
  )
}

/** Looks are not kept: the documents of a large import would fill the memory. */
const toClaimed = (file: ResultFile): Claimed => ({ file, look: () => lookAtFile(file) })

function neighboursOf(files: readonly ResultFile[]): Pick<Reading, 'beside' | 'below'> {
  const byPlace = new Map(files.map((file) => [`${file.root}\0${file.inside}`, file]))
  const byFolder = new Map<string, ResultFile[]>()
  for (const file of files) {
    for (let folder = posix.dirname(file.inside); ; folder = posix.dirname(folder)) {
      const key = `${file.root}\0${folder}`
      const list = byFolder.get(key)
      if (list) list.push(file)
      else byFolder.set(key, [file])
      if (folder === '.' || folder === '/') break
    }
  }
  return {
    beside: ({ root, inside }, path) => byPlace.get(`${root}\0${posix.join(posix.dirname(inside), path)}`) ?? null,
    below: ({ root, inside }) => byFolder.get(`${root}\0${posix.dirname(inside)}`) ?? [],
  }
}
