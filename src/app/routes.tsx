import type { RouteObject } from 'react-router'

import { HomePage, loader as loadHome } from '#src/features/home/HomePage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { RouteError } from './RouteError.tsx'
import { requireSession } from './session-middleware.ts'
import { Shell } from './shell/Shell.tsx'
import { Starting } from './Starting.tsx'

/** Every page of the product. A page's module loads with its data: `loader` fetches, the component reads. */
export const routes: RouteObject[] = [
  {
    ErrorBoundary: RouteError,
    HydrateFallback: Starting,
    children: [
      {
        path: '/sign-in',
        lazy: async () => {
          const { SignInPage, loader } = await import('#src/features/session/SignInPage.tsx')
          return { Component: SignInPage, loader }
        },
      },
      {
        Component: Shell,
        middleware: [requireSession],
        loader: () => null,
        children: [{ ErrorBoundary: RouteError, children: pages() }],
      },
    ],
  },
]

function pages(): RouteObject[] {
  return [
    // Comes with the shell: what it shows, nearly every page does.
    { index: true, Component: HomePage, loader: loadHome },
    {
      path: 'experiments',
      lazy: async () => {
        const { ExperimentsPage, loader } = await import('#src/features/experiments/ExperimentsPage.tsx')
        return { Component: ExperimentsPage, loader }
      },
    },
    {
      path: 'experiments/new',
      lazy: async () => {
        const { NewExperimentPage, loader } = await import('#src/features/experiments/definition/NewExperimentPage.tsx')
        return { Component: NewExperimentPage, loader }
      },
    },
    {
      path: 'experiments/:id',
      lazy: async () => {
        const { ExperimentPage, loader } = await import('#src/features/experiments/ExperimentPage.tsx')
        return { Component: ExperimentPage, loader }
      },
      children: [
        {
          ErrorBoundary: RouteError,
          lazy: async () => {
            const { SubmitOutlet } = await import('#src/features/submit/SubmitOutlet.tsx')
            return { Component: SubmitOutlet }
          },
          children: experimentTabs(),
        },
      ],
    },
    {
      path: 'runs',
      lazy: async () => {
        const { RunsPage } = await import('#src/features/runs/list/RunsPage.tsx')
        return { Component: RunsPage }
      },
    },
    {
      path: 'runs/compare',
      lazy: async () => {
        const { ComparePage, loader } = await import('#src/features/runs/compare/ComparePage.tsx')
        return { Component: ComparePage, loader }
      },
    },
    {
      path: 'runs/:id',
      lazy: async () => {
        const { RunPage, loader } = await import('#src/features/runs/RunPage.tsx')
        return { Component: RunPage, loader }
      },
    },
    {
      path: 'reports',
      lazy: async () => {
        const { ReportsPage, loader } = await import('#src/features/reports/ReportsPage.tsx')
        return { Component: ReportsPage, loader }
      },
    },
    {
      path: 'reports/:id',
      lazy: async () => {
        const { ReportPage, loader } = await import('#src/features/reports/ReportPage.tsx')
        return { Component: ReportPage, loader }
      },
    },
    {
      path: 'insights',
      lazy: async () => {
        const { InsightsPage, loader } = await import('#src/features/insights/saved/InsightsPage.tsx')
        return { Component: InsightsPage, loader }
      },
    },
    {
      path: 'insights/query',
      lazy: async () => {
        const { QueryPage, loader } = await import('#src/features/insights/query/QueryPage.tsx')
        return { Component: QueryPage, loader }
      },
    },
    {
      path: 'insights/:ref',
      lazy: async () => {
        const { InsightPage, loader } = await import('#src/features/insights/saved/InsightPage.tsx')
        return { Component: InsightPage, loader }
      },
    },
    {
      path: 'secrets',
      lazy: async () => {
        const { SecretsPage, loader } = await import('#src/features/secrets/SecretsPage.tsx')
        return { Component: SecretsPage, loader }
      },
    },
    {
      path: 'credits',
      lazy: async () => {
        const { CreditsPage, loader } = await import('#src/features/credits/CreditsPage.tsx')
        return { Component: CreditsPage, loader }
      },
    },
    {
      path: 'context',
      lazy: async () => {
        const { ContextPage } = await import('#src/features/context/ContextPage.tsx')
        return { Component: ContextPage }
      },
    },
    {
      path: 'context/:kind/:id',
      lazy: async () => {
        const { RecordPage, loader } = await import('#src/features/context/RecordPage.tsx')
        return { Component: RecordPage, loader }
      },
    },
    {
      path: 'notifications',
      lazy: async () => {
        const { NotificationsPage } = await import('#src/features/notifications/NotificationsPage.tsx')
        return { Component: NotificationsPage }
      },
    },
    {
      path: 'docs/api',
      lazy: async () => {
        const { ApiReferencePage, loader } = await import('#src/features/api-reference/ApiReferencePage.tsx')
        return { Component: ApiReferencePage, loader }
      },
    },
    { path: '*', Component: NotFoundPage },
  ]
}

function experimentTabs(): RouteObject[] {
  return [
    {
      index: true,
      lazy: async () => {
        const { ExperimentOverview } = await import('./ExperimentOverview.tsx')
        return { Component: ExperimentOverview }
      },
    },
    {
      path: 'definition',
      lazy: async () => {
        const { loader } = await import('#src/features/experiments/definition/DefinitionTab.tsx')
        const { ExperimentDefinition } = await import('./ExperimentDefinition.tsx')
        return { Component: ExperimentDefinition, loader }
      },
    },
    {
      path: 'runs',
      lazy: async () => {
        const { ExperimentRunsTab } = await import('#src/features/runs/list/ExperimentRunsTab.tsx')
        return { Component: ExperimentRunsTab }
      },
    },
    {
      path: 'results',
      lazy: async () => {
        const { ResultsTab, loader } = await import('#src/features/results/ResultsTab.tsx')
        return { Component: ResultsTab, loader }
      },
    },
  ]
}
