import { getExperiment, getYaml, type PushReceipt } from '#contract/experiments.ts'
import { taskPatternsOf } from '#contract/task-folders.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { checkText } from '#src/editor/check-text.ts'
import { findTouchedVariants, type Inputs } from './touched-variants.ts'

/** The ids of the variants that a version has changed since an earlier one, or null if this cannot be told. */
export async function readTouched(
  caller: ApiCaller,
  { experimentId, fingerprint }: PushReceipt,
  earlier: string,
): Promise<string[] | null> {
  const before = await readInputs(caller, experimentId, earlier)
  const after = await readInputs(caller, experimentId, fingerprint)
  return before && after && findTouchedVariants(before, after).map(({ variantId }) => variantId)
}

async function readInputs(caller: ApiCaller, id: string, version: string): Promise<Inputs | null> {
  const { definition } = checkText(await caller.call(getYaml, { id, version }))
  // The YAML does not have the tasks of folders.
  if (!definition || taskPatternsOf(definition).length > 0) return null
  const { dependencies } = await caller.call(getExperiment, { id, version })
  return { definition, hashes: new Map(dependencies.map(({ source, tarSha256 }) => [source, tarSha256 ?? ''])) }
}
