import type { SpotlightActionData } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

import { whoamiOptions } from '#src/api/identity.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { paths } from '#src/paths.ts'
import { pageActions } from '#src/ui/page-actions.ts'

type Handlers = { go: (href: string) => void; onHelp: () => void }

/** Actions on the current page, then actions available anywhere. */
export function usePaletteActions({ go, onHelp }: Handlers): SpotlightActionData[] {
  const { pathname } = useLocation()
  const { data: caller } = useQuery(whoamiOptions())
  const offered = useSyncExternalStore(pageActions.subscribe, pageActions.current)
  const openId = /^\/experiments\/(?!new\b)([^/]+)/.exec(pathname)?.[1]
  const openRunId = decodeURIComponent(/^\/runs\/([^/]+(?:::|%3A%3A)[^/]+)/i.exec(pathname)?.[1] ?? '')
  return [
    // If several buttons do the same, the first is the page's own.
    ...offered
      .filter(({ label }, at) => offered.findIndex((other) => other.label === label) === at)
      .map(({ label, run }) => ({ id: `verb:${label}`, label, onClick: run })),
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
    { id: 'api-reference', label: 'API reference', onClick: () => go(paths.apiReference()) },
    {
      id: 'definition-reference',
      label: 'Definition reference',
      onClick: () => go(paths.definitionReference()),
    },
    { id: 'sql-reference', label: 'SQL reference', onClick: () => go(paths.sqlReference()) },
    { id: 'shortcuts', label: 'Keyboard shortcuts', onClick: onHelp },
  ]
}

const copyLink = () => navigator.clipboard.writeText(window.location.href)
