import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

import { measuredValue } from '#contract/score-measures.ts'
import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartParameters, Omissions } from '#contract/charts.ts'
import { chartRunsOptions, chartOptions } from '#src/api/charts.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import { metricSql } from '#src/shared/copy-as/chart-sql.ts'
import { count, counted } from '#src/format/numbers.ts'
import { AllPairs } from './AllPairs.tsx'
import { chooseCandidates, comparedAxis, partOfSides } from './choose-sides.ts'
import { pairOptions } from './compare-in-worker.ts'
import { type CompareState, comparedParameters, readCompareState } from './compare-parameters.ts'
import { scopeParameter } from '#src/features/results/view/scope-parameter.ts'
import { ComparedInFigure, CompareBar } from './CompareBar.tsx'
import { ComparedPairView } from './ComparedPairView.tsx'
import { chartCurl } from '#src/features/results/view/copy-results.ts'
import { NoFinishedRuns } from '#src/features/results/view/NoFinishedRuns.tsx'
import { quotePair } from './quote-pair.ts'
import { ResultsBar } from '#src/features/results/view/ResultsBar.tsx'
import { appliedFilters, withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import { toCandidates } from './to-candidates.ts'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import { useCorrection } from './use-correction.ts'
import { type ViewProps, ViewState } from '#src/features/results/view/ViewState.tsx'

/** Compares two groups of runs, or two versions, and then every pair with corrected p-values. */
export function CompareView(props: ViewProps) {
  const { experiment, state, refetchInterval } = props
  const [search] = useSearchParams()
  const compare = readCompareState(search)
  const parameters = comparedParameters(compare, withoutTestSearch(state.parameters))
  const runs = useQuery({ ...chartRunsOptions(experiment.id, parameters), refetchInterval })
  return (
    <ViewState label="Comparison of two groups" query={runs}>
      {(data) => <Groups {...props} {...{ compare, parameters, data }} updatedAt={runs.dataUpdatedAt} />}
    </ViewState>
  )
}

type Props = ViewProps & {
  compare: CompareState
  parameters: ChartParameters
  data: { version: string; total: number; runs: readonly ChartRun[] }
  updatedAt: number
}

const nothingOmitted: Omissions = { excludedTestAwareRuns: 0, leftOutRuns: {}, mixedImages: [] }

function Groups({ experiment, state, refetchInterval, isComplete, compare, parameters, data, updatedAt }: Props) {
  const { between, measure, scope } = compare
  const summary = useQuery({ ...chartOptions('scatter', experiment.id, parameters), refetchInterval })
  const versions = useQuery(versionListOptions(experiment.id)).data?.versions
  const candidates = useMemo(() => toCandidates(data.runs, between, versions ?? []), [data.runs, between, versions])
  const { left, right } = chooseCandidates(candidates, compare)
  const question = { compared: comparedAxis(compare, parameters.groupBy), measure, scope }
  const compared = { experimentId: experiment.id, parameters, runs: data.runs, updatedAt }
  const names = { left: left?.value ?? '', right: right?.value ?? '' }
  const labels = { left: left?.label ?? '', right: right?.label ?? '' }
  const { data: comparison } = useQuery({ ...pairOptions(compared, question, names), enabled: right !== undefined })
  const correction = useCorrection(compared, question, candidates)
  const omissions = summary.data ?? nothingOmitted
  if (!left)
    return <NoFinishedRuns experimentId={experiment.id} parameters={appliedFilters(state)} omissions={omissions} />

  const missing = data.runs.filter((run) => measuredValue(run, measure) === null).length
  const leftOut = [
    missing > 0 && `${count(missing)} without a value`,
    data.runs.length < data.total && `only the newest ${count(data.runs.length)} compared`,
  ].filter((words) => words !== false)
  const part = partOfSides(compare, names)
  const shown = comparison && {
    title: `${labels.left} vs ${labels.right}`,
    quote: () => quotePair(comparison, { names, labels, measure, correction }),
    curl: () => chartCurl(experiment.id, 'scatter', parameters, { resultView: 'points' }),
    sql: () => metricSql({ parameters, version: data.version }, measure, part),
    part,
    isText: true,
    pinned: { ...names, measure, scope: scopeParameter[comparison.scope] },
  }
  return (
    <>
      <ResultsBar
        experiment={experiment}
        extent={`${counted(candidates.length, between === 'versions' ? 'version' : 'group')}, ${counted(data.total, 'run')}`}
        leftOut={leftOut.join(' · ')}
        scope={{ parameters, version: data.version }}
        {...(shown && { shown })}
        omissions={omissions}
      >
        <CompareBar {...{ compare, candidates, left, right, comparison }} scores={summary.data?.scores} />
      </ResultsBar>
      <ComparedInFigure {...{ compare, left, right }} />
      {right ? (
        <>
          <ComparedPairView
            {...{ compared, question, names, labels, correction }}
            cell={compare.cell}
            live={{ refetchInterval, isComplete }}
          />
          <PageOnly>
            <AllPairs candidates={candidates} correction={correction} measure={measure} shown={names} />
          </PageOnly>
        </>
      ) : (
        <p>Only one group ({left.label}) has finished runs. Add another to compare.</p>
      )}
    </>
  )
}
