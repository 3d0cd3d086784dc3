import { lstat, readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'

import type { z } from 'zod'

import { invalid } from '#platform/failures/failure.ts'
import { readInside } from '#platform/run-engine/workspace/workspace-path.ts'
import type { Skipped } from './skipped.ts'
import { maxFileBytes, RunMetadata, RunResults, Trial, whyInvalid } from './results-file.ts'
import { stableUuid } from './stable-id.ts'
import { type Submission, submissionOf } from './submission.ts'

/** A trial with its log folder, if there is one. */
type FoundTrial = { trial: Trial; logs: string | null }

/** One run of one submission. `id` comes from the run itself, so a moved folder is still the same run. */
export type RunDirectory = {
  id: string
  path: string
  submission: Submission
  metadata: RunMetadata | null
  trials: FoundTrial[]
}

export type Found = { directories: RunDirectory[]; skipped: Skipped[] }

/**
 * Finds every run directory below `folder`, in path order: one whose results.json has a `results` list. The
 * results.json of a trial's own folder adds its instruction and logs to that trial. Files that cannot be read are
 * listed in `skipped`. No link is followed: it could lead to a file of this machine, which members would then read.
 * Throws `invalid_argument` when the folder itself cannot be read.
 */
export async function findRunDirectories(folder: string): Promise<Found> {
  const files = await listResultsFiles(resolve(folder))
  const skipped: Skipped[] = []
  const directories: RunDirectory[] = []
  const ofTrials: { path: string; trial: Trial }[] = []
  for (const file of files) {
    try {
      const document = await readJson(file)
      const isWholeRun = typeof document === 'object' && document !== null && 'results' in document
      if (isWholeRun) directories.push(await readRunDirectory(file, document, skipped))
      else ofTrials.push({ path: dirname(file), trial: check(Trial, document) })
    } catch (error) {
      skipped.push({ file, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  for (const own of ofTrials) {
    if (!adopt(directories, own))
      skipped.push({
        file: join(own.path, 'results.json'),
        reason: 'no results.json of a whole run contains this trial',
      })
  }
  return { directories, skipped }
}

async function listResultsFiles(folder: string) {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && entry.name === 'results.json')
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
  } catch (error) {
    throw invalid(`Cannot read ${folder}: ${error instanceof Error ? error.message : String(error)}`)
  }
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
  const { id, results } = check(RunResults, document)
  const metadata = await readMetadata(join(path, 'run_metadata.json'), skipped)
  const submission = submissionOf(path, metadata)
  if (!submission)
    throw new Error('the agent is unknown: add run_metadata.json, or name the folder YYYYMMDD_agent_model')
  const trials: FoundTrial[] = []
  for (const [index, result] of results.entries()) {
    const parsed = Trial.safeParse(result)
    if (parsed.success) trials.push({ trial: parsed.data, logs: null })
    else skipped.push({ file: `${file}#results[${index}]`, reason: whyInvalid(parsed.error) })
  }
  const names = [basename(dirname(path)), basename(path)]
  return { id: id ?? stableUuid('terminal-bench', ...names), path, submission, metadata, trials }
}

async function readMetadata(file: string, skipped: Skipped[]): Promise<RunMetadata | null> {
  if (!(await lstat(file).catch(() => null))) return null
  try {
    return check(RunMetadata, await readJson(file))
  } catch (error) {
    skipped.push({ file, reason: error instanceof Error ? error.message : String(error) })
    return null
  }
}

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
