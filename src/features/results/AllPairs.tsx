import { Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'

import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMetric } from '#contract/charts.ts'
import { counted } from '#src/format/numbers.ts'
import { significance } from '#src/statistics/compare-groups.ts'
import { Section } from '#src/ui/Section.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { type CorrectedPair, type PairNames, allPairs, compareAllPairs, mostPairs } from './compare-pairs.ts'
import type { ComparedAxis } from './compare-sides.ts'
import classes from './Compare.module.css'
import { formatP } from './format-p.ts'
import { measures, signed, signedBare } from './measures.ts'
import { ResultsTable } from './ResultsTable.tsx'
import type { Candidate } from './to-candidates.ts'

type Props = {
  candidates: readonly Candidate[]
  data: readonly ChartRun[]
  dataUpdatedAt: number
  scope: object
  question: { compared: ComparedAxis; measure: ChartMetric }
  shown: PairNames
}

/** Every pair at once, each p-value corrected for being one of many. */
export function AllPairs({ candidates, data, dataUpdatedAt, scope, question, shown }: Props) {
  const pairs = allPairs(candidates.map(({ value }) => value))
  const isMany = pairs.length > mostPairs
  const compared = useQuery({
    queryKey: ['comparisons', scope, question, dataUpdatedAt],
    queryFn: ({ signal }) => compareAllPairs(data, pairs, question, signal),
    enabled: pairs.length > 1 && !isMany,
    staleTime: Infinity,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  })
  if (pairs.length < 2) return null
  return (
    <Section title={`All ${counted(pairs.length, 'pair')}`}>
      {isMany ? (
        <p className={classes.note}>
          Too many to correct for at once. Filter to {counted(20, 'group')} or fewer, or group by another axis.
        </p>
      ) : compared.data ? (
        <PairTable pairs={compared.data} candidates={candidates} measure={question.measure} shown={shown} />
      ) : (
        <Skeleton height={160} />
      )}
    </Section>
  )
}

type TableProps = {
  pairs: readonly CorrectedPair[]
  candidates: readonly Candidate[]
  measure: ChartMetric
  shown: PairNames
}

function PairTable({ pairs, candidates, measure, shown }: TableProps) {
  const url = useQueryState()
  const labelOf = new Map(candidates.map(({ value, label }) => [value, label]))
  const { format } = measures[measure]
  return (
    <>
      <p className={classes.note}>
        Corrected p: Holm’s, over the pairs that have one. Below {significance} a pair differs, however many were looked
        at.
      </p>
      <ResultsTable
        label="All pairs"
        rows={pairs}
        rowId={({ left, right }) => `${left} ${right}`}
        isSelected={({ left, right }) =>
          (left === shown.left && right === shown.right) || (left === shown.right && right === shown.left)
        }
        name={{
          header: 'Pair',
          text: ({ left, right }) => `${labelOf.get(left) ?? left} – ${labelOf.get(right) ?? right}`,
          onChoose: ({ left, right }) => url.push({ left, right, cell: null }),
        }}
        columns={[
          { header: 'First', text: ({ comparison }) => format(comparison.left.mean) },
          { header: 'Second', text: ({ comparison }) => format(comparison.right.mean) },
          { header: 'Difference', text: ({ comparison }) => signed(measure, comparison.difference) },
          { header: '95 % interval', text: (pair) => intervalText(pair, measure) },
          { header: 'Runs', text: ({ comparison }) => `${comparison.left.used} and ${comparison.right.used}` },
          { header: 'Cells', text: ({ comparison }) => String(comparison.cells.length) },
          { header: 'p', text: ({ comparison }) => formatP(comparison.pValue) },
          { header: 'Corrected p', text: ({ correctedP }) => formatP(correctedP) },
          { header: 'Verdict', text: verdictOf },
        ]}
      />
    </>
  )
}

function intervalText({ comparison: { interval } }: CorrectedPair, measure: ChartMetric) {
  return interval ? `${signedBare(measure, interval.low)} to ${signedBare(measure, interval.high)}` : '–'
}

function verdictOf({ comparison, correctedP }: CorrectedPair) {
  if (comparison.verdict !== 'differs') return comparison.verdict
  return correctedP !== null && correctedP < significance ? 'differs' : 'unresolved after correction'
}
