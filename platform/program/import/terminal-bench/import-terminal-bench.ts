import type { Definition } from '#contract/definition.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { listVersions } from '#platform/inputs/experiments/list-versions.ts'
import { loadVersion } from '#platform/inputs/experiments/load-version.ts'
import { pushExperiment } from '#platform/inputs/experiments/push-experiment.ts'
import { conflict, Failure, invalid } from '#platform/ground/failures/failure.ts'
import { findRunDirectories, type Found, type RunDirectory } from './find-run-directories.ts'
import { importRunDirectory, type ImportReceipt, type ImportTarget } from './import-run-directory.ts'
import { describeSkipped, type Skipped, toSkipped } from './skipped.ts'
import { modelSpelling } from './submission.ts'
import { isImported } from '#platform/inputs/experiments/imported-agents.ts'
import { toDefinition, toYaml } from './to-definition.ts'
import { collectTests } from './trial-tests.ts'

export type TerminalBenchImport = {
  /** Searched at any depth for run directories. */
  folder: string
} & ImportInto

export type ImportInto = {
  experimentId: string
  /** The name and description of the experiment; by default, those of every import. */
  about?: { name: string; description: string } | undefined
  /** The number of processed runs, and the total. */
  onProgress?: (done: number, total: number) => void
}

/**
 * Registers Terminal-Bench results as an experiment: agents, models and tasks become its axes, every trial a finished
 * run (docs/import-terminal-bench.md). A second import adds only new trials, even after a kill. Files that cannot be
 * read and trials that cannot be stored are listed in `skipped`. Errors: `invalid_argument` for a folder without
 * results, `already_exists` when the experiment exists and was not imported.
 */
export async function importTerminalBench(
  context: Context,
  { folder, ...into }: TerminalBenchImport,
): Promise<ImportReceipt> {
  const found = await findRunDirectories(folder)
  if (found.directories.length === 0) throw invalid(noResults(folder, found.skipped))
  return importRunDirectories(context, found, into)
}

function noResults(folder: string, skipped: readonly Skipped[]) {
  const found = `No Terminal-Bench results found below ${folder}`
  return skipped.length === 0 ? found : `${found}. ${describeSkipped(skipped.slice(0, 5)).join('. ')}`
}

/** The same for run directories that have been read. */
export async function importRunDirectories(
  context: Context,
  { directories: found, skipped }: Found,
  { experimentId, about, onProgress = () => {} }: ImportInto,
): Promise<ImportReceipt> {
  const previous = await findPrevious(context, experimentId)
  const directories = spellLikeKnownModels(found, previous)
  const target = await registerVersion(context, { experimentId, about, directories, previous })
  const known = collectTests(directories.flatMap(({ trials }) => trials.map(({ trial }) => trial)))
  const total = directories.reduce((sum, { trials }) => sum + trials.length, 0)
  const receipt: ImportReceipt = { imported: 0, alreadyImported: 0, skipped }
  let done = 0
  onProgress(done, total)
  for (const directory of directories) {
    try {
      const { imported, alreadyImported, skipped } = await importRunDirectory(context, target, directory, known)
      receipt.imported += imported
      receipt.alreadyImported += alreadyImported
      receipt.skipped.push(...skipped)
    } catch (error) {
      receipt.skipped.push({ ...toSkipped('trial', directory.file, error), count: directory.trials.length })
    }
    done += directory.trials.length
    onProgress(done, total)
    context.wakeProjector()
  }
  return receipt
}

/** One model stays one value of the axis, even when an earlier import spelled it differently. */
function spellLikeKnownModels(directories: readonly RunDirectory[], previous: Definition | null) {
  const spell = modelSpelling((previous?.models ?? []).map((model) => (typeof model === 'string' ? model : model.id)))
  return directories.map((directory) => {
    const { agent, model } = directory.submission
    return { ...directory, submission: { agent, model: spell(model) } }
  })
}

type NewVersion = Pick<ImportInto, 'experimentId' | 'about'> & {
  directories: readonly RunDirectory[]
  previous: Definition | null
}

async function registerVersion(
  context: Context,
  { experimentId, about, directories, previous }: NewVersion,
): Promise<ImportTarget> {
  if (previous && !isImported(previous))
    throw conflict(`Experiment "${experimentId}" exists and was not imported. Choose another id`)
  const definition = { ...toDefinition(experimentId, directories, previous), ...about }
  const { fingerprint, ordinal } = await pushExperiment(context, { experimentYaml: toYaml(definition) })
  return { experimentId, fingerprint, ordinal, definition }
}

async function findPrevious(context: Context, experimentId: string) {
  try {
    const { versions } = await listVersions(context, { id: experimentId })
    const key = { organizationId: context.organization.id, experimentId, fingerprint: versions[0]?.fingerprint ?? '' }
    return (await loadVersion(context.db, key))?.definition ?? null
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  }
}
