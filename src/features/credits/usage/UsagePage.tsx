import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LoaderFunctionArgs } from 'react-router'

import type { Usage } from '#contract/usage.ts'
import { isApiError } from '#src/api/errors.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { queryClient } from '#src/api/query-client.ts'
import { usageOptions } from '#src/api/usage.ts'
import { StackedBars } from '#src/charts/bars/StackedBars.tsx'
import { timeIn } from '#src/format/dates.ts'
import { usd } from '#src/format/money.ts'
import { count, counted, tokens } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Fact } from '#src/ui/Fact.tsx'
import { FactBand } from '#src/ui/FactBand.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { usageColumns } from './usage-columns.tsx'
import { UsageControls } from './UsageControls.tsx'
import { usageBars } from './usage-bars.ts'
import classes from './usage.module.css'
import { costOf, type Payer, readUsageView, runsBehind, toUsageFilters } from './usage-view.ts'
import { groupingNames, lengthWords, totalWords } from './usage-words.ts'

export async function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const permissions = permissionsOf(await queryClient.ensureQueryData(whoamiOptions()))
  const view = readUsageView((name) => searchParams.get(name) ?? '', permissions)
  void queryClient.prefetchQuery(usageOptions(toUsageFilters(view)))
  return null
}

/** The cost of runs, grouped and by day. Members see their own runs. */
export function Component() {
  const url = useQueryState()
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const permissions = permissionsOf(caller)
  const view = readUsageView(url.one, permissions)
  const { data: usage, error, refetch } = useQuery(usageOptions(toUsageFilters(view)))
  const columns = useMemo(() => (usage ? usageColumns(usage, view.paid) : []), [usage, view.paid])
  const grouping = groupingNames[usage?.groupBy ?? view.groupBy].toLowerCase()
  return (
    <>
      <title>Usage · Assay</title>
      <PageHeader
        title="Usage"
        above={<TextLink href={paths.credits()}>Credits</TextLink>}
        facts={
          <>
            {usage && !error && periodWords(usage)}
            {!permissions.spendByUser && 'You see only your own runs. Admins see everyone’s.'}
          </>
        }
      />
      <UsageControls view={view} usage={usage} mayGroupByPerson={permissions.spendByUser} />
      {isApiError(error, 'not_found') ? (
        <EmptyState title="No billing cycle in this period" hint="Choose another period above." />
      ) : (
        <>
          {usage && !error && <Totals usage={usage} paid={view.paid} />}
          {usage && !error && usage.totals.runs > 0 && (
            <div className={classes.chart}>
              <UsageChart usage={usage} paid={view.paid} />
            </div>
          )}
          <Section title={`By ${grouping}`}>
            <DataTable
              label={`usage by ${grouping}`}
              columns={columns}
              rows={usage?.rows}
              rowId={({ key }) => key}
              error={error}
              onRetry={() => void refetch()}
              empty={{ title: 'No runs ended in this period', hint: 'Real runs appear here once they have ended.' }}
            />
            {usage?.rest && (
              <p className={classes.note}>
                {`The table shows the ${count(usage.rows.length)} most expensive rows. The others cost ${usd(costOf(usage.rest, view.paid))} in total (${counted(usage.rest.runs, 'run')}).`}
              </p>
            )}
          </Section>
        </>
      )}
    </>
  )
}

const periodWords = ({ from, until, timeZone }: Usage) =>
  `Runs that ended from ${timeIn(from, timeZone)} to ${timeIn(until, timeZone)}, ${timeZone}. `

function Totals({ usage, paid }: { usage: Usage; paid: Payer }) {
  const { totals, previous } = usage
  const [cost, before] = [costOf(totals, paid), costOf(previous, paid)]
  return (
    <FactBand>
      <Fact name="Cost" title={`${usd(before)} in the previous ${lengthWords(usage)}`}>
        {totalWords(cost, before, lengthWords(usage))}
      </Fact>
      <Fact name="Credit">{usd(costOf(totals, 'credit'))}</Fact>
      <Fact name="Own keys">{usd(costOf(totals, 'own'))}</Fact>
      <Fact name="Runs">
        <TextLink href={runsBehind(usage)}>{count(totals.runs)}</TextLink>
      </Fact>
      <Fact name="Cost per run">{usd(totals.runs > 0 ? cost / totals.runs : null)}</Fact>
      <Fact name="Tokens in, cached, out">
        {`${tokens(totals.inputTokens)}, ${tokens(totals.cachedTokens)}, ${tokens(totals.outputTokens)}`}
      </Fact>
    </FactBand>
  )
}

type Props = { usage: Usage; paid: Payer }

/** What each day has cost: by the rows of the table, or grouped by day by who pays. */
function UsageChart({ usage, paid }: Props) {
  const { series, bars } = usageBars(usage, paid)
  return (
    <StackedBars
      label={`Cost by ${usage.intervalUnit}`}
      series={series.map(({ label, color }) => ({ name: label, color }))}
      bars={bars}
      format={(value) => usd(value)}
    />
  )
}
