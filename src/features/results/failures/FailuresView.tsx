import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'

import { FailureKind, type FailureSignature, listFailureSignatures } from '#contract/failure-signatures.ts'
import { failureSignaturesInput, failureSignaturesOptions } from '#src/api/failure-signatures.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { failuresSql } from '#src/shared/copy-as/chart-sql.ts'
import { curlOf } from '#src/shared/copy-as/curl-of.ts'
import { kindLabels } from '#src/shared/failure-signatures/kind-labels.ts'
import { NoFinishedRuns } from '#src/features/results/view/NoFinishedRuns.tsx'
import { matchingRows } from '#src/features/results/view/result-columns.ts'
import { ResultsBar } from '#src/features/results/view/ResultsBar.tsx'
import { withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import { UrlSelect } from '#src/features/results/view/UrlSelect.tsx'
import { type ViewProps, ViewState } from '#src/features/results/view/ViewState.tsx'
import { counted } from '#src/format/numbers.ts'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import { RowFilter } from '#src/ui/table/RowFilter.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { changeQuery } from '#src/url/use-query-state.ts'
import { failureColumns } from './failure-columns.tsx'
import { OutputSearch } from './OutputSearch.tsx'
import { Partings } from './Partings.tsx'

const kindChoices = [
  { value: '', label: 'Every kind of failure' },
  ...FailureKind.options.map((value) => ({ value, label: kindLabels[value] })),
]

/** The failures of all runs by signature, and a search of everything that agents and tests printed. */
export const FailuresView = (props: ViewProps) => (
  <OutputSearch {...props}>
    <Signatures {...props} />
    <PageOnly>
      <Partings {...props} />
    </PageOnly>
  </OutputSearch>
)

function Signatures({ experiment, state, refetchInterval }: ViewProps) {
  const [search] = useSearchParams()
  const kind = FailureKind.safeParse(search.get('kind')).data
  const parameters = withoutTestSearch(state.parameters)
  const [filter, setFilter] = useState('')
  const summary = useQuery({
    ...failureSignaturesOptions(experiment.id, parameters, { kind }),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  return (
    <ViewState label="Why runs fail" query={summary}>
      {(data) => {
        if (data.groups.length === 0)
          return <NoFinishedRuns experimentId={experiment.id} parameters={state.parameters} omissions={data} />
        const scope = { parameters, version: data.version }
        const runs = data.groups.reduce((sum, group) => sum + group.runs, 0)
        const columns = failureColumns(data.failedRuns)
        const matching = matchingRows(data.signatures, columns, filter)
        const beyond = data.total - data.signatures.length
        return (
          <DataTable
            label="failures"
            columns={columns}
            rows={matching}
            rowId={({ id }) => id}
            rowHref={({ id }) => `?${changeQuery(search, { signature: id, group: null }).toString()}`}
            empty={
              filter.trim() !== ''
                ? { title: 'No failures match', hint: 'Change the filter above.' }
                : kind
                  ? { title: 'No failures of this kind', hint: 'Choose another kind.' }
                  : { title: 'No failures', hint: `None of ${counted(runs, 'run')} failed.` }
            }
            filters={
              <ResultsBar
                experiment={experiment}
                extent={`${counted(data.total, 'different failure')} in ${data.failedRuns.toLocaleString('en')} of ${counted(runs, 'run')}`}
                leftOut={beyond > 0 ? `${beyond} rarer ones not shown` : null}
                scope={scope}
                omissions={data}
                shown={{
                  title: 'failures',
                  quote: () => data.signatures.map(quoteSignature).join('\n'),
                  curl: () =>
                    curlOf(
                      listFailureSignatures,
                      failureSignaturesInput(experiment.id, parameters, { kind }),
                      currentOrganizationId(),
                    ),
                  sql: () => failuresSql(scope, kind),
                }}
              >
                <PageOnly>
                  <RowFilter
                    label="failures"
                    value={filter}
                    onChange={setFilter}
                    matching={matching.length}
                    total={data.signatures.length}
                  />
                </PageOnly>
                <UrlSelect label="Kind of failure" param="kind" value={kind ?? ''} choices={kindChoices} />
              </ResultsBar>
            }
          />
        )
      }}
    </ViewState>
  )
}

const quoteSignature = ({ message, kind, runs, testCount }: FailureSignature) =>
  `${counted(runs, 'run')}${testCount > 0 ? `, ${counted(testCount, 'test')}` : ''}  ${kindLabels[kind]}: ${message}`
