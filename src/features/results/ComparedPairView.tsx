import { useMemo } from 'react'

import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMetric } from '#contract/charts.ts'
import { IntervalPlot } from '#src/charts/interval/IntervalPlot.tsx'
import { counted } from '#src/format/numbers.ts'
import { comparisonSentence } from '#src/statistics/comparison-sentence.ts'
import type { RunUse } from '#src/statistics/match-cells.ts'
import { Fact } from '#src/ui/Fact.tsx'
import { FactBand } from '#src/ui/FactBand.tsx'
import { toIntervalRows } from './to-interval-rows.ts'
import classes from './Compare.module.css'
import { formatP } from './format-p.ts'
import { MatchedCells } from './MatchedCells.tsx'
import { measures, signed, signedBare } from './measures.ts'
import { MoreRepeatsOffer } from './MoreRepeatsOffer.tsx'
import { type PairNames, comparePair } from './compare-pairs.ts'
import type { ComparedAxis } from './compare-sides.ts'

type Props = {
  experimentId: string
  runs: readonly ChartRun[]
  names: PairNames
  labels: PairNames
  question: { compared: ComparedAxis; measure: ChartMetric }
  cell: string | null
}

/** One pair in detail: the sentence, its interval, what it rests on, and what would settle it. */
export function ComparedPairView({ experimentId, runs, names, labels, question, cell }: Props) {
  const { compared, measure } = question
  const { left, right } = names
  const pair = useMemo(
    () => comparePair(runs, { left, right }, { compared, measure }),
    [runs, left, right, compared, measure],
  )
  const { comparison, sides } = pair
  const { words, format } = measures[measure]
  const groups = [
    { label: labels.left, group: comparison.left },
    { label: labels.right, group: comparison.right },
  ]
  return (
    <section aria-label={`${labels.left} against ${labels.right}`} className={classes.pair}>
      <output className={classes.sentence} data-verdict={comparison.verdict}>
        {comparisonSentence(comparison, { ...labels, words })}
      </output>
      {sides.alsoDiffer.length > 0 && (
        <p className={classes.note}>
          They also differ in {sides.alsoDiffer.map(axisWord).join(', ')}: the difference may come from there.
        </p>
      )}
      <FactBand>
        {groups.map(({ label, group }) => (
          <Fact key={label} name={label}>
            {format(group.mean)} <span className={classes.extent}>{describeUse(group)}</span>
          </Fact>
        ))}
        <Fact name="Difference">{signed(measure, comparison.difference)}</Fact>
        <Fact name="p" title="The level at which the interval reaches zero, for this pair alone">
          {formatP(comparison.pValue)}
        </Fact>
        <Fact name="Matched by">{sides.matchedBy.map(axisWord).join(', ') || 'nothing else varies'}</Fact>
      </FactBand>
      {comparison.cells.length > 0 && (
        <IntervalPlot
          label={`Difference in ${measures[measure].label.toLowerCase()}${measure === 'passRate' ? ', in points' : ''}: ${labels.left} minus ${labels.right}`}
          rows={toIntervalRows(comparison)}
          format={(value) => signedBare(measure, value)}
        />
      )}
      <MoreRepeatsOffer experimentId={experimentId} pair={pair} labels={labels} />
      <MatchedCells pair={pair} labels={labels} measure={measure} cell={cell} />
    </section>
  )
}

const axisWord = (axis: string) => axis.replace('_', ' ')

/** Every run of a group is in one of these parts. */
function describeUse({ used, missing, unmatched, alone }: RunUse) {
  return [
    counted(used, 'run'),
    missing > 0 && `${missing} without a value`,
    unmatched > 0 && `${unmatched} without a counterpart`,
    alone > 0 && `${alone} in a cell with a single run`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}
