import type { DataSchema, Provenance } from '#contract/insight-fields.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { requireExperiment } from '#platform/inputs/experiments/require-experiment.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { findRun } from '#platform/queue/run-lookup/find-run.ts'
import type { insights } from '#platform/ground/database/tables/insights.ts'

/** The provenance of an insight and the schema family of its SQL, as the row stores them. */
export type StoredProvenance = Pick<
  typeof insights.$inferSelect,
  'provenance' | 'experimentId' | 'runId' | 'dataSchema'
>

type Sent = { provenance?: Provenance | undefined; dataSchema?: DataSchema | undefined }

/** Every experiment and run has this family. The retired family has only saved queries left, and no targets. */
const familyOfTargets = 'session_data_v1'

/**
 * The provenance that an insight stores. Fields that a forced overwrite omits keep the value of `existing`.
 * Errors: `not_found` for a target that does not exist, `invalid_argument` for fields that do
 * not fit the kind or a `dataSchema` other than the target's.
 */
export async function resolveProvenance(
  context: Context,
  sent: Sent,
  existing: StoredProvenance | null,
): Promise<StoredProvenance> {
  const target = sent.provenance ? await findTarget(context, sent.provenance) : targetOf(existing)
  if (target.provenance === 'none') {
    return { ...target, dataSchema: sent.dataSchema ?? existing?.dataSchema ?? familyOfTargets }
  }
  if (sent.dataSchema && sent.dataSchema !== familyOfTargets) {
    throw invalid(`\`dataSchema\`: the ${target.provenance} uses ${familyOfTargets}, not ${sent.dataSchema}`)
  }
  return { ...target, dataSchema: familyOfTargets }
}

const targetOf = (stored: StoredProvenance | null) => ({
  provenance: stored?.provenance ?? 'none',
  experimentId: stored?.experimentId ?? null,
  runId: stored?.runId ?? null,
})

async function findTarget(context: Context, { kind, experimentId, runId }: Provenance) {
  if (kind === 'run') return findRunTarget(context, { experimentId, runId })
  if (runId !== undefined) throw invalid('`provenance.runId` is only allowed with the kind run')
  if (kind === 'none') {
    if (experimentId !== undefined)
      throw invalid('`provenance.experimentId` is only allowed with the kinds experiment and run')
    return { provenance: kind, experimentId: null, runId: null }
  }
  if (!experimentId) throw invalid('`provenance.experimentId` is required for the kind experiment')
  await requireExperiment(context.db, { organizationId: context.organization.id, experimentId })
  return { provenance: kind, experimentId, runId: null }
}

async function findRunTarget(context: Context, { experimentId, runId }: Omit<Provenance, 'kind'>) {
  if (!runId) throw invalid('`provenance.runId` is required for the kind run')
  const { run } = await findRun(context, runId)
  if (experimentId !== undefined && experimentId !== run.experimentId) {
    throw invalid(`\`provenance.experimentId\`: the run belongs to the experiment "${run.experimentId}"`)
  }
  return { provenance: 'run' as const, experimentId: run.experimentId, runId: run.compositeId }
}
