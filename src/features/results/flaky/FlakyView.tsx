import { keepPreviousData, useQuery } from '@tanstack/react-query'

import type { HeatmapSummary, HeatmapTest } from '#contract/charts.ts'
import { chartOptions } from '#src/api/charts.ts'
import { testsSql } from '#src/shared/copy-as/chart-sql.ts'
import { chartCurl } from '#src/features/results/view/copy-results.ts'
import { NoFinishedRuns } from '#src/features/results/view/NoFinishedRuns.tsx'
import { ResultsBar } from '#src/features/results/view/ResultsBar.tsx'
import { TestSearch } from '#src/features/results/view/TestSearch.tsx'
import { type ViewProps, ViewState } from '#src/features/results/view/ViewState.tsx'
import { counted } from '#src/format/numbers.ts'
import { Section } from '#src/ui/Section.tsx'
import { describeCounts } from '#src/ui/status-marks.ts'
import mutedText from '#src/ui/muted-text.module.css'
import { classifyTests } from './classify-tests.ts'
import { TestTable } from './TestTable.tsx'

/** Flaky tests, and tests that can't distinguish groups. */
export function FlakyView({ experiment, state, refetchInterval }: ViewProps) {
  const summary = useQuery({
    ...chartOptions('tests', experiment.id, state.parameters),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  return (
    <ViewState label="Flaky and uninformative tests" query={summary}>
      {(data) =>
        data.tests.length === 0 ? (
          <NoFinishedRuns
            experimentId={experiment.id}
            parameters={state.parameters}
            runs={runsOf(data)}
            omissions={data}
          />
        ) : (
          <>
            <ResultsBar
              experiment={experiment}
              extent={extentOf(data)}
              scope={{ parameters: state.parameters, version: data.version }}
              omissions={data}
              shown={{
                title: 'flaky and uninformative tests',
                quote: () => quoteTests(classifyTests(data.tests)),
                curl: () => chartCurl(experiment.id, 'tests', state.parameters),
                sql: () => testsSql({ parameters: state.parameters, version: data.version }),
              }}
            >
              <TestSearch />
            </ResultsBar>
            <Tests data={data} />
          </>
        )
      }
    </ViewState>
  )
}

function Tests({ data }: { data: HeatmapSummary }) {
  const { flaky, neverPass, alwaysPass } = classifyTests(data.tests)
  const kinds = [
    {
      title: 'Flaky',
      meaning: 'These tests both passed and failed within the same variant and version. Most affected variants first.',
      label: 'Flaky tests',
      tests: flaky,
    },
    {
      title: 'Never passed',
      meaning: 'Failed in every run. These tests are too hard or broken and can’t distinguish groups.',
      label: 'Tests that never passed',
      tests: neverPass,
    },
    {
      title: 'Always passed',
      meaning: 'Passed in every run. These tests can’t distinguish groups.',
      label: 'Tests that always passed',
      tests: alwaysPass,
    },
  ]
  const byPresence = [...kinds].sort((a, b) => Number(b.tests.length > 0) - Number(a.tests.length > 0))
  return byPresence.map(({ title, meaning, label, tests }) => (
    <Section key={title} title={`${title}: ${counted(tests.length, 'test')}`}>
      <p className={mutedText.intro}>{meaning}</p>
      {tests.length > 0 && <TestTable {...{ label, tests }} cells={data.cells} showsVariants={title === 'Flaky'} />}
    </Section>
  ))
}

function quoteTests({ flaky, neverPass, alwaysPass }: ReturnType<typeof classifyTests>) {
  const list = (title: string, tests: readonly HeatmapTest[], more: (test: HeatmapTest) => string = () => '') =>
    [
      `${title}: ${counted(tests.length, 'test')}`,
      ...tests.map((test) => `  ${test.test}: ${describeCounts(test)}${more(test)}`),
    ].join('\n')
  return [
    list('Flaky', flaky, ({ flakyVariants }) => `, in ${counted(flakyVariants, 'variant')}`),
    list('Never passed', neverPass),
    list('Always passed', alwaysPass),
  ].join('\n\n')
}

const runsOf = ({ groups }: HeatmapSummary) => groups.reduce((sum, { runs }) => sum + runs, 0)

const extentOf = (data: HeatmapSummary) => `${counted(data.tests.length, 'test')}, ${counted(runsOf(data), 'run')}`
