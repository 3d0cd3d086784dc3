import { Suspense, use } from 'react'

import { ChartToolsContext } from '#src/ui/ChartToolsContext.ts'
import { PageOnly } from '#src/ui/PageOnly.tsx'

/** The tools of the chart around it. */
export function ChartTools({ label }: { label: string }) {
  const toolsFor = use(ChartToolsContext)
  return (
    toolsFor && (
      <PageOnly>
        <Suspense fallback={null}>{toolsFor(label)}</Suspense>
      </PageOnly>
    )
  )
}
