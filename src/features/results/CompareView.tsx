import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'

import { chartRunsOptions, scatterOptions } from '#src/api/charts.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import { metricSql } from '#src/copy-as/chart-sql.ts'
import { count, counted } from '#src/format/numbers.ts'
import { comparisonSentence } from '#src/statistics/comparison-sentence.ts'
import { AllPairs } from './AllPairs.tsx'
import { chooseCandidates, comparedAxis } from './choose-sides.ts'
import { comparedParameters, readCompareState } from './compare-parameters.ts'
import { CompareBar } from './CompareBar.tsx'
import { comparePair } from './compare-pairs.ts'
import { ComparedPairView } from './ComparedPairView.tsx'
import { chartCurl } from './copy-results.ts'
import { measures } from './measures.ts'
import { NothingFinished } from './NothingFinished.tsx'
import { ResultsBar } from './ResultsBar.tsx'
import { withoutTestSearch } from './results-parameters.ts'
import { toCandidates } from './to-candidates.ts'
import { type ViewProps, ViewState } from './ViewState.tsx'

/** Two groups of runs, or two versions, one against the other; then every pair, corrected for being many. */
export function CompareView({ experiment, state, refetchInterval }: ViewProps) {
  const [search] = useSearchParams()
  const compare = readCompareState(search)
  const parameters = comparedParameters(compare, withoutTestSearch(state.parameters))
  const runs = useQuery({ ...chartRunsOptions(experiment.id, parameters), refetchInterval })
  const summary = useQuery({ ...scatterOptions(experiment.id, parameters), refetchInterval })
  const versions = useQuery(versionListOptions(experiment.id))
  return (
    <ViewState label="Two groups compared" query={runs}>
      {(data) => {
        const candidates = toCandidates(data.runs, compare.between, versions.data?.versions ?? [])
        const { left, right } = chooseCandidates(candidates, compare)
        if (!left) return <NothingFinished experimentId={experiment.id} parameters={state.parameters} />
        const question = { compared: comparedAxis(compare, parameters.groupBy), measure: compare.measure }
        const missing = data.runs.filter(({ metrics }) => metrics[compare.measure] === null).length
        const kind = compare.between === 'versions' ? 'version' : 'group'
        const leftOut = [
          missing > 0 && `${count(missing)} without a value`,
          data.runs.length < data.total && `only the newest ${count(data.runs.length)} compared`,
        ].filter((part) => part !== false)
        const shown = right && {
          title: `${left.label} against ${right.label}`,
          quote: () => {
            const { comparison } = comparePair(data.runs, { left: left.value, right: right.value }, question)
            const { words } = measures[compare.measure]
            return comparisonSentence(comparison, { left: left.label, right: right.label, words })
          },
          curl: () => chartCurl(experiment.id, 'scatter', parameters, { resultView: 'points' }),
          sql: () =>
            metricSql({ parameters, version: data.version }, compare.measure, {
              axis: compare.between === 'versions' ? 'version' : 'group',
              values: [left.value, right.value],
            }),
        }
        return (
          <>
            <ResultsBar
              experiment={experiment}
              extent={`${counted(candidates.length, kind)}, ${counted(data.total, 'run')}`}
              leftOut={leftOut.join(' · ')}
              version={data.version}
              {...(shown && { shown })}
              excludedTestAwareRuns={summary.data?.excludedTestAwareRuns ?? 0}
            />
            <CompareBar compare={compare} candidates={candidates} left={left} right={right} />
            {right ? (
              <>
                <ComparedPairView
                  experimentId={experiment.id}
                  runs={data.runs}
                  names={{ left: left.value, right: right.value }}
                  labels={{ left: left.label, right: right.label }}
                  question={question}
                  cell={compare.cell}
                />
                <AllPairs
                  candidates={candidates}
                  data={data.runs}
                  dataUpdatedAt={runs.dataUpdatedAt}
                  scope={{ experimentId: experiment.id, parameters }}
                  question={question}
                  shown={{ left: left.value, right: right.value }}
                />
              </>
            ) : (
              <p>Only {left.label} has finished runs here; a comparison needs two.</p>
            )}
          </>
        )
      }}
    </ViewState>
  )
}
