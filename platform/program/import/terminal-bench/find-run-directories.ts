import { lstat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'

import type { z } from 'zod'

import { readInside } from '#platform/engine/workspace/workspace-path.ts'
import { listResultsFiles } from './list-results-files.ts'
import type { Skipped } from './skipped.ts'
import { maxFileBytes, RunMetadata, RunResults, Trial, whyInvalid } from './results-file.ts'
import { stableUuid } from './stable-id.ts'
import { type Submission, submissionOf } from './submission.ts'

/** A trial with its log folder, if there is one. */
type FoundTrial = { trial: Trial; logs: string | null }

/**
 * One run of one submission. `id` comes from the run itself, so a moved folder is still the same run. `path` is the folder
 * of its results file, which can have the results of other runs, too.
 */
export type RunDirectory = {
  id: string
  path: string
  file: string
  submission: Submission
  metadata: RunMetadata | null
  trials: FoundTrial[]
}

export type Found = { directories: RunDirectory[]; skipped: Skipped[] }

/**
 * Finds every run directory below `folder`, in path order: a results file with a `results` list. The results.json of a
 * trial's own folder adds its instruction and logs to that trial. Everything that is left out is in `skipped`: files that
 * cannot be read, submissions without results, trials that a file announces and does not list. No link is followed: it
 * could lead to a file of this machine, which members would then read. Throws `invalid_argument` when the folder itself
 * cannot be read.
 */
export async function findRunDirectories(folder: string): Promise<Found> {
  const { files, skipped } = await listResultsFiles(resolve(folder))
  const directories: RunDirectory[] = []
  const ofTrials: { file: string; trial: Trial }[] = []
  for (const file of files) {
    try {
      const document = await readJson(file)
      const isWholeRun = typeof document === 'object' && document !== null && 'results' in document
      if (isWholeRun) directories.push(await readRunDirectory(file, document, skipped))
      else ofTrials.push({ file, trial: check(Trial, document) })
    } catch (error) {
      skipped.push({ what: 'file', file, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  for (const { file, trial } of ofTrials) {
    if (!adopt(directories, { path: dirname(file), trial }))
      skipped.push({ what: 'file', file, reason: 'no results.json of a whole run contains this trial' })
  }
  return { directories, skipped }
}

const readJson = async (file: string): Promise<unknown> =>
  JSON.parse(await readInside(dirname(file), basename(file), maxFileBytes)) as unknown

function check<Schema extends z.ZodType>(schema: Schema, document: unknown): z.output<Schema> {
  const parsed = schema.safeParse(document)
  if (!parsed.success) throw new Error(whyInvalid(parsed.error))
  return parsed.data
}

async function readRunDirectory(file: string, document: unknown, skipped: Skipped[]): Promise<RunDirectory> {
  const path = dirname(file)
  const { id, results, n_resolved: resolved, n_unresolved: unresolved } = check(RunResults, document)
  const metadata = await readMetadata(file, skipped)
  const submission = submissionOf(path, metadata)
  if (!submission)
    throw new Error('the agent is unknown: add run_metadata.json, or name the folder YYYYMMDD_agent_model')
  const announced = (resolved ?? 0) + (unresolved ?? 0)
  if (announced > results.length) {
    const reason = `its totals count ${announced} trials, and it lists ${results.length}`
    skipped.push({ what: 'trial', file, reason, count: announced - results.length })
  }
  const trials: FoundTrial[] = []
  for (const [index, result] of results.entries()) {
    const parsed = Trial.safeParse(result)
    if (parsed.success) trials.push({ trial: parsed.data, logs: null })
    else skipped.push({ what: 'trial', file: `${file}#results[${index}]`, reason: whyInvalid(parsed.error) })
  }
  return { id: id ?? stableUuid('terminal-bench', ...namesOf(file)), path, file, submission, metadata, trials }
}

/** What identifies a run without an id. A folder with the results of several runs has a file of another name for each. */
function namesOf(file: string) {
  const [path, name] = [dirname(file), basename(file)]
  const names = [basename(dirname(path)), basename(path)]
  return name === 'results.json' ? names : [...names, name]
}

/** Reads `<time>_run_metadata.json` beside `<time>_results.json`, else run_metadata.json. */
async function readMetadata(resultsFile: string, skipped: Skipped[]): Promise<RunMetadata | null> {
  const own = resultsFile.replace(/results\.json$/i, 'run_metadata.json')
  const file = (await exists(own)) ? own : join(dirname(resultsFile), 'run_metadata.json')
  if (!(await exists(file))) return null
  try {
    return check(RunMetadata, await readJson(file))
  } catch (error) {
    skipped.push({ what: 'file', file, reason: error instanceof Error ? error.message : String(error) })
    return null
  }
}

const exists = async (file: string) => (await lstat(file).catch(() => null)) !== null

/** Attaches a trial's own folder to its trial. Returns false when no run above it has that trial. */
function adopt(directories: RunDirectory[], own: { path: string; trial: Trial }) {
  const above = directories
    .filter((directory) => own.path.startsWith(directory.path + sep))
    .sort((a, b) => b.path.length - a.path.length)
  for (const { trials } of above) {
    const found = trials.find(({ trial }) => trial.trial_name === own.trial.trial_name)
    if (!found) continue
    found.logs = own.path
    found.trial = { ...found.trial, instruction: found.trial.instruction ?? own.trial.instruction }
    return true
  }
  return false
}
