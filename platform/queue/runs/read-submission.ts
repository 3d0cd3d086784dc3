import type { Definition } from '#contract/definition.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { submitRuns } from '#contract/run-submission.ts'
import { promptTasksOf } from '#contract/prompt-tasks.ts'
import { selectVariants } from '#contract/select-variants.ts'
import { type Variant, variantsOf } from '#contract/variants.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { makeDesign } from '#platform/queue/decisions/make-design.ts'
import { findVersion } from '#platform/inputs/experiments/find-version.ts'
import { invalid } from '#platform/ground/failures/failure.ts'

type Input = VerbInput<typeof submitRuns>

/**
 * Returns the version and the runs that a submission selects. Errors: `not_found` for the experiment,
 * `invalid_argument` for unknown versions, selectors and flags, an empty selection, or too many runs; those of `makeDesign`.
 */
export async function readSubmission({ db, organization }: Context, input: Input) {
  const version = await findVersion(db, { organizationId: organization.id, experimentId: input.id }, input.version)
  if (!version) throw invalid(`Experiment "${input.id}" has no version ${input.version}`)
  const variants = chooseVariants(version.definition, input)
  const repeat = input.repeat || 1
  if (variants.length * repeat > limits.runsPerRequest) {
    throw invalid(`This selects ${variants.length * repeat} runs; a request can have at most ${limits.runsPerRequest}`)
  }
  return {
    version,
    variants,
    repeat,
    flags: input.flags ?? [],
    mock: input.mock ?? false,
    maxCostUsd: input.maxCostUsd ?? null,
    ...(input.origin && { origin: input.origin }),
    ...(input.untilDecided && {
      untilDecided: makeDesign(input.untilDecided, {
        variants,
        repeat,
        promptTasks: promptTasksOf(version.definition),
      }),
    }),
  }
}

function chooseVariants(definition: Definition, input: Input): Variant[] {
  const { selected, unknown } = selectVariants(variantsOf(definition), input)
  if (unknown.length > 0) {
    throw invalid(`Unknown selectors: ${quoteSome(unknown.map(({ selector, value }) => `${selector} "${value}"`))}`)
  }
  if (selected.length === 0) throw invalid('The selection matches no variants')
  const flags = new Set((definition.flags ?? []).map(({ id }) => id))
  const unknownFlags = (input.flags ?? []).filter((flag) => !flags.has(flag))
  if (unknownFlags.length > 0) throw invalid(`Unknown flags: ${quoteSome(unknownFlags)}`)
  return selected
}

/** Quotes at most twenty names, so that an error message stays readable. */
const quoteSome = (names: readonly string[]) => names.slice(0, 20).join(', ') + (names.length > 20 ? ', …' : '')
