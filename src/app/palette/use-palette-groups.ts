import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { z } from 'zod'

import type { Run } from '#contract/runs.ts'
import { isCompositeRunId } from '#contract/wire/run-id.ts'
import { experimentListOptions } from '#src/api/experiments.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { insightPagesOptions } from '#src/api/insights.ts'
import { reportListOptions } from '#src/api/reports.ts'
import { runListOptions } from '#src/api/runs.ts'
import { navigation } from '#src/navigation.ts'
import { exactTime } from '#src/format/dates.ts'
import { shortId } from '#src/format/ids.ts'
import { paths } from '#src/paths.ts'
import { usePaletteActions } from './use-palette-actions.ts'

type Handlers = { go: (href: string) => void; onHelp: () => void }

/** The palette's entries: matching experiments and insights, actions, reports, pages, and runs by id or the latest. */
export function usePaletteGroups(search: string, { go, onHelp }: Handlers): SpotlightActionGroupData[] {
  const filter = { search: search || undefined }
  const keep = { keepPrevious: true, poll: false }
  const experiments = useQuery({
    ...experimentListOptions({ ...filter, limit: 12 }),
    placeholderData: keepPreviousData,
    refetchInterval: false,
  })
  const runs = useInfiniteList(runListOptions({}), keep)
  const insights = useInfiniteList(insightPagesOptions(filter, 12), keep)
  const reports = useInfiniteList(reportListOptions(), keep)
  const actions = usePaletteActions({ go, onHelp })
  // Before anything is typed, shows a few of each kind.
  const some = search === '' ? 4 : 50
  return [
    {
      group: 'Experiments',
      actions: (experiments.data?.experiments ?? []).slice(0, some).map(({ id, name }) => ({
        id: `experiment:${id}`,
        label: name,
        description: id,
        onClick: () => go(paths.experiment(id)),
      })),
    },
    {
      group: 'Insights',
      actions: (insights.rows ?? []).slice(0, some).map(({ reference, heading, labels }) => ({
        id: `insight:${reference}`,
        label: heading,
        description: labels.join(', '),
        onClick: () => go(paths.insight(reference)),
      })),
    },
    { group: 'Actions', actions },
    {
      group: 'Reports',
      actions: (reports.rows ?? []).slice(0, some).map(({ id, title }) => ({
        id: `report:${id}`,
        label: title,
        description: 'report',
        onClick: () => go(paths.report(id)),
      })),
    },
    {
      group: 'Pages',
      actions: pages.map(({ label, href }) => ({ id: `page:${href}`, label, onClick: () => go(href) })),
    },
    { group: 'Runs', actions: runActions(runs.rows ?? [], search, go) },
  ]
}

/** Notifications are not in the navigation. */
const pages = [...navigation, { label: 'Notifications', href: paths.notifications() }]

/** The id of a run or a request. */
const isRunId = (text: string) => isCompositeRunId(text) || z.uuid().safeParse(text).success

function runActions(latest: readonly Run[], search: string, go: Handlers['go']): SpotlightActionData[] {
  const requests = Object.values(Object.groupBy(latest, ({ runRequestId }) => runRequestId))
  return [
    ...(isRunId(search) ? [{ id: `run:${search}`, label: `Run ${search}`, onClick: () => go(paths.run(search)) }] : []),
    ...requests.slice(0, 6).flatMap((group) => {
      const [run] = group ?? []
      if (!run) return []
      return {
        id: `request:${run.runRequestId}`,
        label: `${run.experimentName} v${run.ordinal}`,
        description: `${shortId(run.runRequestId)} · ${exactTime(run.createdAt)}`,
        onClick: () => go(paths.run(run.runRequestId)),
      }
    }),
  ]
}
