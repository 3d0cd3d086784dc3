import { useQuery } from '@tanstack/react-query'

import type { Definition } from '#contract/definition.ts'
import { policyFaults } from '#contract/run-policy.ts'
import type { Variant } from '#contract/variants.ts'
import { runPolicyOptions } from '#src/api/run-policy.ts'
import { Notice } from '#src/ui/Notice.tsx'

const most = 10

/** What the run policy does not allow in real runs of this text. */
export function RefusedByPolicy({ definition, variants }: { definition: Definition; variants: readonly Variant[] }) {
  const { data } = useQuery(runPolicyOptions())
  const faults = data ? policyFaults(data, definition, variants) : []
  if (faults.length === 0) return null
  return (
    <Notice title="The run policy does not allow real runs of some variants.">
      {faults
        .slice(0, most)
        .map(({ path, message }) => `${path}: ${message}`)
        .join('; ')}
      {faults.length > most && `; and ${faults.length - most} more`}.
    </Notice>
  )
}
