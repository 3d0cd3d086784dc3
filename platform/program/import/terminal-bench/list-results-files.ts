import { readdir } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'

import { invalid } from '#platform/ground/failures/failure.ts'
import type { Skipped } from './skipped.ts'
import { isSubmissionFolder } from './submission.ts'

const maxNamed = 5

/**
 * The files below `folder` whose names say that they have results, in path order: `results.json` of a run's folder, or
 * `<time>_results.json` for a run without one. Submissions without such a file, and other JSON files, are in `skipped`.
 */
export async function listResultsFiles(folder: string): Promise<{ files: string[]; skipped: Skipped[] }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw invalid(`Cannot read ${folder}: ${error instanceof Error ? error.message : String(error)}`)
  })
  const placeOf = ({ parentPath, name }: (typeof entries)[number]) => join(parentPath, name)
  const json = entries.filter((entry) => entry.isFile() && /\.json$/i.test(entry.name)).map(placeOf)
  const files = json.filter((file) => /result[^/]*\.json$/i.test(basename(file))).sort()
  const submissions = entries.filter((entry) => entry.isDirectory() && isSubmissionFolder(entry.name)).map(placeOf)
  const skipped = submissions
    .filter((submission) => !files.some((file) => file.startsWith(submission + sep)))
    .map((file) => ({ what: 'folder' as const, file, reason: 'this submission has no results file' }))
  return { files, skipped: [...skipped.sort(byFile), ...describeOthers(folder, json)] }
}

const byFile = (a: Skipped, b: Skipped) => (a.file < b.file ? -1 : 1)

/** JSON files whose names promise neither results nor metadata: a run may be in one of them. */
function describeOthers(folder: string, json: readonly string[]): Skipped[] {
  const others = json.filter((file) => !/(?:result[^/]*|run_metadata)\.json$/i.test(basename(file))).sort()
  if (others.length === 0) return []
  const named = others.slice(0, maxNamed).map((file) => relative(folder, file))
  const more = others.length > maxNamed ? ` and ${others.length - maxNamed} more` : ''
  const reason = `not named like results, so not read: ${named.join(', ')}${more}`
  return [{ what: 'file', file: folder, reason, count: others.length }]
}
