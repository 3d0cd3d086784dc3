import { lazy } from 'react'

import type { FigurePage } from '#src/shared/figures/figure-pages.ts'

/** The pages whose views a report can show, each by the components of its own page. */
export const figurePages: readonly FigurePage[] = [
  {
    pattern: '/experiments/:id/results',
    View: lazy(async () => ({ default: (await import('#src/features/results/ResultsTab.tsx')).Component })),
    hasControls: true,
  },
  {
    pattern: '/insights/query',
    View: lazy(async () => ({ default: (await import('#src/features/insights/query/QueryFigure.tsx')).QueryFigure })),
    hasControls: false,
    hasView: (query, hash) => hash.startsWith('#sql=') || query.get('mode') === 'modeled',
  },
  {
    pattern: '/runs/:id',
    View: lazy(async () => ({ default: (await import('#src/features/runs/RunFigure.tsx')).RunFigure })),
    hasControls: true,
    hasView: (query) => query.has('turn') || (query.get('view') === 'changes' && query.has('file')),
  },
]
