import { describeLeftOut } from '#contract/left-out.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { isImported } from '#platform/inputs/experiments/imported-agents.ts'
import { listVersions } from '#platform/inputs/experiments/list-versions.ts'
import { loadVersion } from '#platform/inputs/experiments/load-version.ts'
import { parseDefinitionApart } from '#platform/inputs/experiments/parse-definition-apart.ts'
import { storeVersion } from '#platform/inputs/experiments/store-version.ts'
import { conflict, Failure, invalid } from '#platform/ground/failures/failure.ts'
import { type ReadingStart, withResultsApart } from './read-results-apart.ts'
import type { ReadingOptions } from '#platform/program/import-formats/reading/result-format.ts'
import { findIdsOfExperiment } from './store.ts'
import type { ResultSource } from './result-source.ts'
import type { SurveySummary } from './survey-runs.ts'
import type { StoreHook } from './store-runs.ts'
import { registerExported, type VersionHook } from './register-exported.ts'
import { importedVersion, type ImportReceipt, type ImportTarget, writeBatches } from './write-batches.ts'

type ImportInto = {
  experimentId: string
  /** The name and description of the experiment; by default, those of every import. */
  about?: { name: string; description?: string } | undefined
  /** The number of processed runs, and the total. */
  onProgress?: (done: number, total: number) => void | Promise<void>
  /** The import that a member started. */
  importId?: string
  /** Called in the transaction that makes a version, which may have existed. */
  onVersion?: VersionHook
  /** Called in the transaction that stores these runs. Throwing refuses them. */
  onStore?: StoreHook
}

type ResultsImport = Pick<ReadingStart, 'paths'> & {
  shownFrom?: string | null
  /** Ends the import; what is stored stays. */
  signal?: AbortSignal
} & Omit<ReadingOptions, 'models'> & {
    /** The only format to look for; by default, the content of each file decides. */
    format?: string | null | undefined
  } & ImportInto

export type ResultsReceipt = ImportReceipt & { formats: SurveySummary['formats'] }

/**
 * Registers the results of other tools as an experiment: agents, models and tasks become its axes, every attempt a finished
 * run (docs/import-results.md). A second import adds only what is new, even after a kill. What cannot be read or stored is
 * in `leftOut`. Errors: `invalid_argument` for files without results, `already_exists` when the experiment exists and was
 * not imported.
 */
export async function importResults(
  context: Context,
  { paths, shownFrom = null, signal, format = undefined, columns, pattern, ...into }: ResultsImport,
): Promise<ResultsReceipt> {
  const previous = await findPrevious(context, into.experimentId)
  const models = (previous?.models ?? []).map((model) => (typeof model === 'string' ? model : model.id))
  const scope = { organizationId: context.organization.id, experimentId: into.experimentId }
  const stored = await findIdsOfExperiment(context.db, scope)
  const start = { paths, shownFrom, format: format ?? null, options: { columns, pattern, models }, scope, stored }
  return withResultsApart(start, (source) => importFrom(context, source, into), signal)
}

/** The same for results that have been read. */
export async function importFrom(
  context: Context,
  source: ResultSource,
  { experimentId, about, importId = undefined, onVersion, onProgress = () => {}, onStore }: ImportInto,
): Promise<ResultsReceipt> {
  const survey = await source.survey()
  const total = survey.runs
  if (total === 0) throw invalid(noResults(survey))
  const target = survey.exported
    ? await registerExported(context, { experimentId, name: about?.name, exported: survey.exported, source, onVersion })
    : await registerVersion(context, { experimentId, about, source, onVersion })
  await onProgress(0, total)
  const receipt = await writeBatches(context, target, {
    source,
    importId: importId ?? null,
    onStore,
    onProgress: (done) => onProgress(done, total),
  })
  return { ...receipt, leftOut: [...survey.leftOut, ...receipt.leftOut], formats: survey.formats }
}

const noResults = ({ leftOut }: SurveySummary) =>
  leftOut.length === 0 ? 'No results found' : `No results found. ${describeLeftOut(leftOut).slice(1, 6).join('. ')}`

async function registerVersion(
  context: Context,
  {
    experimentId,
    about,
    source,
    onVersion,
  }: Pick<ImportInto, 'experimentId' | 'about' | 'onVersion'> & { source: ResultSource },
): Promise<ImportTarget> {
  const previous = await findPrevious(context, experimentId)
  if (previous && !isImported(previous))
    throw conflict(`Experiment "${experimentId}" exists and was not imported. Choose another id`)
  const yaml = await source.define({ experimentId, about, previous })
  // Before the transaction, which the embedded database does alone.
  const { definition, definitionHash } = await parseDefinitionApart(context.organization.id, yaml)
  const key = { organizationId: context.organization.id, experimentId, creatorId: context.caller.recordedUnder }
  const version = await context.db.transaction(async (tx) => {
    const stored = await storeVersion(tx, { ...key, yaml, definitionHash, definition, files: [] })
    await onVersion?.(tx, stored)
    return stored
  })
  return { experimentId, versions: new Map([[importedVersion, { ...version, definition }]]) }
}

/** The definition of the latest version; null if there is no such experiment. */
export async function findPrevious(context: Context, experimentId: string) {
  try {
    const { versions } = await listVersions(context, { id: experimentId })
    const key = { organizationId: context.organization.id, experimentId, fingerprint: versions[0]?.fingerprint ?? '' }
    return (await loadVersion(context.db, key))?.definition ?? null
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  }
}
