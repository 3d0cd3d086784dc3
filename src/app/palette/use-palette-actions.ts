import type { SpotlightActionGroupData } from '@mantine/spotlight'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'

import { experimentListOptions } from '#src/api/experiments.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { insightPagesOptions } from '#src/api/insights.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { reportPagesOptions } from '#src/api/reports.ts'
import { runListOptions } from '#src/api/runs.ts'
import { navigation } from '#src/app/shell/navigation.ts'
import { exactTime } from '#src/format/dates.ts'
import { shortId } from '#src/format/ids.ts'
import { paths } from '#src/paths.ts'

type Does = { go: (href: string) => void; onHelp: () => void }

/** What the palette offers: verbs of this page, experiments by the words typed, the latest run requests, pages. */
export function usePaletteActions(search: string, { go, onHelp }: Does): SpotlightActionGroupData[] {
  const { pathname } = useLocation()
  const keep = { placeholderData: keepPreviousData, refetchInterval: false } as const
  const experiments = useQuery({ ...experimentListOptions({ search: search || undefined, limit: 12 }), ...keep })
  const runs = useInfiniteQuery({ ...runListOptions({}), ...keep })
  const insights = useInfiniteQuery({ ...insightPagesOptions({ search: search || undefined }, 12), ...keep })
  const reports = useInfiniteQuery({ ...reportPagesOptions(), ...keep })
  const { data: caller } = useQuery(whoamiOptions())
  const openId = /^\/experiments\/(?!new\b)([^/]+)/.exec(pathname)?.[1]
  const openRunId = decodeURIComponent(/^\/runs\/([^/]+(?:::|%3A%3A)[^/]+)/i.exec(pathname)?.[1] ?? '')
  const verbs = [
    ...(openId
      ? [
          { id: 'submit', label: `Submit runs of ${openId}`, onClick: () => go(paths.submit(openId)) },
          { id: 'fork', label: `Fork ${openId}`, onClick: () => go(paths.fork(openId)) },
          { id: 'query', label: `Query ${openId}`, onClick: () => go(paths.query({ experiment: openId })) },
          { id: 'clone', label: `Clone ${openId}`, onClick: () => go(paths.newExperiment({ id: openId })) },
        ]
      : []),
    ...(openRunId
      ? [{ id: 'query-run', label: 'Query this run', onClick: () => go(paths.query({ run: openRunId })) }]
      : []),
    { id: 'create-report', label: 'New report', onClick: () => go(paths.newReport()) },
    { id: 'create', label: 'New experiment', onClick: () => go(paths.newExperiment()) },
    { id: 'new-query', label: 'New query', onClick: () => go(paths.query({})) },
    ...(caller && permissionsOf(caller).manageSecrets
      ? [{ id: 'create-secret', label: 'New secret', onClick: () => go(paths.newSecret()) }]
      : []),
    ...(caller && permissionsOf(caller).reloadCredits
      ? [{ id: 'top-up', label: 'Top up credit', onClick: () => go(paths.topUp()) }]
      : []),
    { id: 'copy-link', label: 'Copy link to this page', onClick: () => void copyLink() },
    { id: 'shortcuts', label: 'Keyboard shortcuts', onClick: onHelp },
  ]
  const latest = runs.data?.pages.flatMap((page) => page.runs) ?? []
  const requests = Object.values(Object.groupBy(latest, ({ runRequestId }) => runRequestId))
  return [
    {
      group: 'Experiments',
      actions: (experiments.data?.experiments ?? []).map(({ id, name }) => ({
        id: `experiment:${id}`,
        label: name,
        description: id,
        onClick: () => go(paths.experiment(id)),
      })),
    },
    {
      group: 'Insights',
      actions: (insights.data?.pages.flatMap((page) => page.insights) ?? []).map(({ reference, heading, labels }) => ({
        id: `insight:${reference}`,
        label: heading,
        description: labels.join(', '),
        onClick: () => go(paths.insight(reference)),
      })),
    },
    { group: 'Do', actions: verbs },
    {
      group: 'Reports',
      actions: (reports.data?.pages[0]?.reports ?? []).slice(0, search === '' ? 4 : 50).map(({ id, title }) => ({
        id: `report:${id}`,
        label: title,
        description: 'report',
        onClick: () => go(paths.report(id)),
      })),
    },
    {
      group: 'Pages',
      actions: navigation.map(({ label, href }) => ({ id: `page:${href}`, label, onClick: () => go(href) })),
    },
    {
      group: 'Latest run requests',
      actions: requests.slice(0, 6).flatMap((group) => {
        const [run] = group ?? []
        if (!run) return []
        return {
          id: `request:${run.runRequestId}`,
          label: `${run.experimentName} v${run.ordinal}`,
          description: `${shortId(run.runRequestId)} · ${exactTime(run.createdAt)}`,
          onClick: () => go(paths.run(run.runRequestId)),
        }
      }),
    },
  ]
}

const copyLink = () => navigator.clipboard.writeText(window.location.href)
