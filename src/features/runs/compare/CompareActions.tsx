import { Button } from '@mantine/core'

import { queryExperiment } from '#contract/queries.ts'
import type { RunDetail } from '#contract/runs.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { tableText } from '#src/shared/clip/clip-quote.ts'
import { ClipButton } from '#src/shared/clip/ClipButton.tsx'
import { runName } from '#src/shared/clip/use-run-source.ts'
import { CopyAs } from '#src/shared/copy-as/CopyAs.tsx'
import { curlOf } from '#src/shared/copy-as/curl-of.ts'
import { runsSql } from '#src/shared/copy-as/run-sql.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { compareFacts } from './compare-facts.ts'

type Props = { left: RunDetail; right: RunDetail }

/** Swaps two compared runs, or exports the comparison. */
export function CompareActions({ left, right }: Props) {
  const url = useQueryState()
  const swap = () =>
    url.push({ left: right.id, right: left.id, leftTurn: url.one('rightTurn'), rightTurn: url.one('leftTurn') })
  const sql = () => runsSql([left.id, right.id])
  const { experimentId: id, experimentName, ordinal } = left
  return (
    <>
      <Button variant="default" onClick={swap}>
        Swap sides
      </Button>
      <ClipButton
        clip={() => ({
          title: `${runName(left)} vs ${runName(right)}`,
          quote: tableText(
            ['', 'left', 'right'],
            compareFacts(left, right).map((fact) => [`${fact.differs ? '≠ ' : ''}${fact.name}`, fact.left, fact.right]),
          ),
          facts: [`${experimentName} v${ordinal}`],
        })}
      />
      <CopyAs
        curl={() => curlOf(queryExperiment, { id, sql: sql(), includeTestAware: true }, currentOrganizationId())}
        sql={sql}
      />
    </>
  )
}
