import { VisuallyHidden } from '@mantine/core'

import type { ModelUse, SpendKind } from '#contract/runs.ts'
import { usd } from '#src/format/money.ts'
import { count } from '#src/format/numbers.ts'
import classes from './ModelCalls.module.css'

/** What the gateway measured beside what the agent reported. The values that count are bold. */
export function ModelUseTable({ use, spendKind }: { use: ModelUse; spendKind: SpendKind }) {
  const { measured, reported, callCount } = use
  const counts = callCount > 0 ? classes.used : undefined
  const costCounts = callCount > 0 && measured.costUsd !== null
  const rows = [
    ['Measured', measured, counts, costCounts ? classes.used : undefined],
    ['Reported by the agent', reported, undefined, callCount > 0 && !costCounts ? classes.used : undefined],
  ] as const
  return (
    <>
      <table className={classes.comparison}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Source</VisuallyHidden>
            </th>
            <th scope="col">Cost</th>
            <th scope="col">Tokens in</th>
            <th scope="col">Tokens out</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, { costUsd, inputTokens, outputTokens }, tokenClass, costClass]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={costClass}>{usd(costUsd)}</td>
              <td className={tokenClass}>{count(inputTokens)}</td>
              <td className={tokenClass}>{count(outputTokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.note}>{sentenceOf(use, spendKind)}</p>
    </>
  )
}

function sentenceOf({ callCount, hasEstimates, measured }: ModelUse, spendKind: SpendKind) {
  if (callCount === 0) return 'No provider answered a call, so nothing was measured.'
  const sentences = [
    measured.costUsd === null
      ? 'The measured tokens count. The price of a model is unknown, so the reported cost counts.'
      : 'The measured values come from the provider’s answers. They count in results and limits.',
    spendKind === 'managed' ? 'The measured cost is charged to credit.' : null,
    hasEstimates ? 'Some answers were cut off or did not report their tokens. Estimates are marked with ~.' : null,
  ]
  return sentences.filter((sentence) => sentence !== null).join(' ')
}
