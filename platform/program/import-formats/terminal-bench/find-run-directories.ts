import { lstat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'

import type { z } from 'zod'

import { messageOf } from '#contract/wire/message-of.ts'
import type { LeftOut } from '#platform/program/import-formats/reading/left-out.ts'
import type { ResultFile } from '#platform/program/import-formats/reading/result-files.ts'
import type { Reading } from '#platform/program/import-formats/reading/result-format.ts'
import { stableUuid } from '#platform/ground/ids/stable-id.ts'
import { readInside } from '#platform/engine/workspace/workspace-path.ts'
import { maxFileBytes, RunMetadata, RunResults, Trial, whyInvalid } from './results-file.ts'
import { modelSpelling, type Submission, submissionOf } from './submission.ts'

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

/**
 * Finds every run directory among the files, in path order: a results file with a `results` list. The results.json of a
 * trial's own folder adds its instruction and logs to that trial. Everything that is left out is named: files that cannot be
 * read, trials that a file announces and does not list. One model stays one value of the axis, even when an earlier import
 * spelled it differently.
 */
export async function findRunDirectories({
  files,
  leaveOut,
  below,
  markUsed,
  options,
}: Reading): Promise<RunDirectory[]> {
  const directories: RunDirectory[] = []
  const ofTrials: { file: ResultFile; trial: Trial }[] = []
  for (const { file, look } of files) {
    try {
      const seen = await look()
      const document = seen.kind === 'json' ? seen.document : null
      const isWholeRun = typeof document === 'object' && document !== null && 'results' in document
      if (isWholeRun) directories.push(await readRunDirectory(file, document, leaveOut))
      else ofTrials.push({ file, trial: check(Trial, document) })
      markUsed(...below(file).filter((each) => isOfRun(file, each)))
    } catch (error) {
      leaveOut({ what: 'file', file: file.path, reason: messageOf(error) })
    }
  }
  for (const { file, trial } of ofTrials) {
    const logs = join(file.root, dirname(file.inside))
    if (!adopt(directories, { path: dirname(file.path), logs, trial }))
      leaveOut({ what: 'file', file: file.path, reason: 'no results.json of a whole run contains this trial' })
  }
  const spell = modelSpelling(options.models)
  return directories.map((directory) => {
    const { agent, model } = directory.submission
    return { ...directory, submission: { agent, model: spell(model) } }
  })
}

/** A folder of one run can have the files of others, too. */
const isOfRun = (results: ResultFile, { inside }: ResultFile) =>
  dirname(inside) !== dirname(results.inside) || !/\.json$/i.test(inside) || /run_metadata\.json$/i.test(inside)

function check<Schema extends z.ZodType>(schema: Schema, document: unknown): z.output<Schema> {
  const parsed = schema.safeParse(document)
  if (!parsed.success) throw new Error(whyInvalid(parsed.error))
  return parsed.data
}

async function readRunDirectory(
  source: ResultFile,
  document: unknown,
  leaveOut: (left: LeftOut) => void,
): Promise<RunDirectory> {
  const { path: file } = source
  const path = dirname(file)
  const { id, results, n_resolved: resolved, n_unresolved: unresolved } = check(RunResults, document)
  const metadata = await readMetadata(source, leaveOut)
  const submission = submissionOf(path, metadata)
  if (!submission)
    throw new Error('the agent is unknown: add run_metadata.json, or name the folder YYYYMMDD_agent_model')
  const announced = (resolved ?? 0) + (unresolved ?? 0)
  if (announced > results.length) {
    const reason = `its totals count ${announced} trials, and it lists ${results.length}`
    leaveOut({ what: 'trial', file, reason, count: announced - results.length })
  }
  const trials: FoundTrial[] = []
  for (const [index, result] of results.entries()) {
    const parsed = Trial.safeParse(result)
    if (parsed.success) trials.push({ trial: parsed.data, logs: null })
    else leaveOut({ what: 'trial', file: `${file}#results[${index}]`, reason: whyInvalid(parsed.error) })
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
async function readMetadata({ root, inside, path }: ResultFile, leaveOut: (left: LeftOut) => void) {
  const folder = join(root, dirname(inside))
  const own = basename(inside).replace(/results\.json$/i, 'run_metadata.json')
  const name = (await exists(join(folder, own))) ? own : 'run_metadata.json'
  if (!(await exists(join(folder, name)))) return null
  try {
    return check(RunMetadata, JSON.parse(await readInside(folder, name, maxFileBytes)))
  } catch (error) {
    const reason = messageOf(error)
    leaveOut({ what: 'file', file: join(dirname(path), name), reason })
    return null
  }
}

const exists = async (file: string) => (await lstat(file).catch(() => null)) !== null

/** Attaches a trial's own folder to its trial. Returns false when no run above it has that trial. */
function adopt(directories: RunDirectory[], own: { path: string; logs: string; trial: Trial }) {
  const above = directories
    .filter((directory) => own.path.startsWith(directory.path + sep))
    .sort((a, b) => b.path.length - a.path.length)
  for (const { trials } of above) {
    const found = trials.find(({ trial }) => trial.trial_name === own.trial.trial_name)
    if (!found) continue
    found.logs = own.logs
    found.trial = { ...found.trial, instruction: found.trial.instruction ?? own.trial.instruction }
    return true
  }
  return false
}
