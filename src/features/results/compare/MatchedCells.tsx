import type { ChartMeasure } from '#contract/charts.ts'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import { counted } from '#src/format/numbers.ts'
import type { MatchedCell } from '#statistics/match-cells.ts'
import { meanOf } from '#statistics/moments.ts'
import { Section } from '#src/ui/Section.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import type { PairNames } from './compare-pairs.ts'
import type { Sides } from './compare-sides.ts'
import { inColumn, signed } from '#src/features/results/view/measures.ts'
import { ResultsTable } from '#src/features/results/view/ResultsTable.tsx'

type Props = {
  cells: readonly MatchedCell[]
  /** What the cells are called: prompts, or combinations of axes. */
  noun: string
  matchedBy: Sides['matchedBy']
  labels: PairNames
  measure: ChartMeasure
  shown: string | null
}

/** The matched cells of a comparison; each opens its runs. */
export function MatchedCells({ cells, noun, matchedBy, labels, measure, shown }: Props) {
  const url = useQueryState()
  const format = (value: number) => inColumn(measure, value)
  const differences = cells.map((cell) => meanOf(cell.left) - meanOf(cell.right))
  const [left, right] = unsharedNames([labels.left, labels.right], 16)
  if (cells.length === 0) return null
  return (
    <Section title={counted(cells.length, `matched ${noun}`)}>
      <ResultsTable
        label={`Matched ${noun}s`}
        rows={cells}
        rowId={({ cell }) => cell}
        isOpen={({ cell }) => cell === shown}
        name={{
          header: matchedBy.map((axis) => axis.replace('_', ' ')).join(' · ') || 'Matched by',
          text: ({ cell }) => cell || 'All runs',
          onChoose: ({ cell }) => url.push({ cell }),
        }}
        columns={[
          { header: `${left}: n`, text: ({ left }) => String(left.length), value: ({ left }) => left.length },
          { header: `${left}: mean`, text: ({ left }) => format(meanOf(left)), value: ({ left }) => meanOf(left) },
          { header: `${right}: n`, text: ({ right }) => String(right.length), value: ({ right }) => right.length },
          { header: `${right}: mean`, text: ({ right }) => format(meanOf(right)), value: ({ right }) => meanOf(right) },
          {
            header: 'Difference',
            text: ({ left, right }) => signed(measure, meanOf(left) - meanOf(right), differences),
            value: ({ left, right }) => meanOf(left) - meanOf(right),
          },
        ]}
      />
    </Section>
  )
}
