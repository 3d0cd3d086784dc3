import { useMemo } from 'react'

import type { Run } from '#contract/runs.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { paths } from '#src/paths.ts'
import type { ClipSource } from './clip-source.ts'

/** A run's turns and tests as sources of clips. */
export const useRunSource = (run: Run): ClipSource =>
  useMemo(
    () => ({
      title: runName(run),
      facts: runFacts(run),
      turnPath: (seq) => paths.run(run.id, { pane: 'transcript', turn: seq }),
    }),
    [run],
  )

export const runName = ({ variantId, repeat }: Run) => `${nameOfAxes(variantId)} #${repeat}`

/** The facts to quote with a clip of a run. */
export function runFacts(run: Run): string[] {
  const { agent, agentMode: mode, model, environment, product, prompt } = run
  const axes = Object.entries({ agent, mode, model, environment, product, prompt })
  return [
    `${run.experimentName} v${run.ordinal}`,
    ...axes.flatMap(([axis, value]) => (value ? [`${axis}: ${value}`] : [])),
    ...(run.mock ? ['mock'] : []),
  ]
}
