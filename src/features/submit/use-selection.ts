import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'

import { referencesNeededBy } from '#contract/secret-references.ts'
import { limits } from '#contract/wire/limit.ts'
import { experimentOptions } from '#src/api/experiments.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { missingSecretsOptions } from '#src/api/secrets.ts'
import { count } from '#src/format/numbers.ts'
import { selectedVariants, unknownChoices } from './selected-variants.ts'
import type { SubmissionValues } from './submission-values.ts'

/** What the form's values select. `whyNot` says why it cannot run; null if it can. */
export function useSelection(experimentId: string, { version, selectors, repeat, flags, mock }: SubmissionValues) {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { data: experiment, error } = useQuery({
    ...experimentOptions(experimentId, version || undefined),
    placeholderData: keepPreviousData,
  })
  const variants = experiment ? selectedVariants(experiment.variants, selectors) : []
  const references = referencesNeededBy(experiment?.secretReferences ?? [], { variants, flags })
  const { data: missing = [] } = useQuery(missingSecretsOptions(references))
  const runCount = variants.length * repeat
  const unknown = unknownChoices(experiment?.variants ?? [], selectors)
  const whyNot =
    selectors === null
      ? 'Select at least one variant'
      : experiment && unknown.length > 0
        ? `This version has no ${unknown.join(', ')}. Select its variants again`
        : repeat > limits.repeat
          ? `A variant can have up to ${count(limits.repeat)} repeats`
          : runCount > limits.runsPerRequest
            ? `A request can have up to ${count(limits.runsPerRequest)} runs`
            : !mock && experiment?.imported
              ? 'Imported agents can’t run here'
              : missing.length > 0 && !mock
                ? 'Real runs need the missing secrets'
                : null
  return { caller, experiment, error, variants, missing, runCount, whyNot }
}

export type Selection = ReturnType<typeof useSelection>
