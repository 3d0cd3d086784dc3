import { useSuspenseQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, useParams } from 'react-router'

import type { Schedule, ScheduleStart } from '#contract/schedules.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { queryClient } from '#src/api/query-client.ts'
import { scheduleOptions, startListOptions } from '#src/api/schedules.ts'
import { timeIn } from '#src/format/dates.ts'
import { usd } from '#src/format/money.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { triggerText } from '#src/shared/schedules/recurrence.ts'
import { Fact } from '#src/ui/Fact.tsx'
import { FactBand } from '#src/ui/FactBand.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { ScheduleActions } from './ScheduleActions.tsx'
import { startColumns } from './start-columns.tsx'
import { declineText, verdictWords } from './verdict-words.ts'

export async function loader({ params: { id = '' } }: LoaderFunctionArgs) {
  void queryClient.prefetchInfiniteQuery(startListOptions(id))
  await queryClient.ensureQueryData(scheduleOptions(id))
  return null
}

/** One schedule, and everything that it started. */
export function Component() {
  const { id = '' } = useParams()
  const { data: schedule } = useSuspenseQuery(scheduleOptions(id))
  const list = useInfiniteList(startListOptions(id))
  return (
    <>
      <title>{`${schedule.name} · Schedules · Assay`}</title>
      <PageHeader
        above={
          <TextLink href={paths.experiment(schedule.experimentId, 'schedules')}>{schedule.experimentName}</TextLink>
        }
        title={schedule.name}
        facts={triggerText(schedule.trigger)}
        actions={<ScheduleActions schedule={schedule} />}
      />
      {schedule.pausedBecause && (
        <Notice title="This schedule is paused.">
          {schedule.pausedBecause}. The person who resumes it becomes its owner, and its runs are submitted in their
          name.
        </Notice>
      )}
      <Standing starts={list.rows ?? []} />
      <Facts schedule={schedule} />
      <DataTable
        label="starts"
        columns={startColumns(schedule)}
        rows={list.rows}
        rowId={({ id }) => id}
        error={list.error}
        onRetry={list.retry}
        more={list.more}
        empty={{ title: 'Nothing started yet', hint: 'Each start appears here with its solved rate.' }}
      />
    </>
  )
}

/** What the newest start with a verdict means for the schedule, in words; nothing while all is well. */
function Standing({ starts }: { starts: readonly ScheduleStart[] }) {
  const newest = starts.find(({ gate, confirmsStartId }) => gate && confirmsStartId === undefined)
  if (!newest?.gate || newest.gate.isAccepted) return null
  const { verdict, reason, decline, confirmation } = newest.gate
  const isNews = verdict === 'failed' || reason === 'suspected' || confirmation !== undefined
  const { text, detail } = verdictWords(newest.gate)
  return (
    <>
      {isNews && <Notice title={`${text}.`}>{detail}</Notice>}
      {decline && (
        <Notice title="The solved rate is declining.">
          {declineText(decline)}. Accept the newest start if you intended it.
        </Notice>
      )}
    </>
  )
}

function Facts({ schedule }: { schedule: Schedule }) {
  const { trigger, nextAt, isEnabled, submission, monthlyBudgetUsd, spentThisMonthUsd, gate, owner } = schedule
  const next = nextAt ? timeIn(nextAt, trigger.kind === 'times' ? trigger.timeZone : 'UTC') : null
  return (
    <FactBand>
      <Fact name="Next start">{next ?? (isEnabled ? 'after the next version' : 'paused')}</Fact>
      <Fact name="Runs">{selectionText(submission)}</Fact>
      <Fact name="Model calls this month" title="The cost of the model calls of runs that it started this month">
        {monthlyBudgetUsd === null ? usd(spentThisMonthUsd) : `${usd(spentThisMonthUsd)} of ${usd(monthlyBudgetUsd)}`}
      </Fact>
      <Fact
        name="Notify of a drop"
        title="Compared with the pooled runs of up to ten earlier starts that passed, variant by variant. A drop counts once the same runs, run again, confirm it"
      >
        {gate ? `with p ≤ ${gate.significanceLevel}` : 'never'}
      </Fact>
      <Fact name="Owner" title="Runs are submitted in the owner’s name">
        {owner.name}
      </Fact>
    </FactBand>
  )
}

/** `agents careful, prompts terse · 3 repeats · mock` */
function selectionText({ version, repeat = 1, mock, ...rest }: Schedule['submission']) {
  const selectors = [
    ['agents', rest.agents],
    ['models', rest.models],
    ['products', rest.productIds],
    ['environments', rest.environmentIds],
    ['prompts', rest.promptIds],
    ['variants', rest.variantIds],
  ] as const
  const chosen = selectors.flatMap(([label, values = []]) =>
    values.length === 0 ? [] : [`${label} ${values.slice(0, 3).join(', ')}${values.length > 3 ? ', …' : ''}`],
  )
  return [
    chosen.join(', ') || 'all variants',
    counted(Math.max(1, repeat), 'repeat'),
    version && `version ${version.slice(0, 8)}`,
    mock && 'mock',
  ]
    .filter(Boolean)
    .join(' · ')
}
