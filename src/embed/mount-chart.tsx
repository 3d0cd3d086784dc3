import { createRoot } from 'react-dom/client'

import type { Presentation } from '#contract/insight-fields.ts'
import type { PublishedInsight } from '#contract/publications.ts'
import { ResultChart } from '#src/charts/result/ResultChart.tsx'

/** Draws charts into an element, each in the place of the one before it. */
export function mountChart(host: Element) {
  const root = createRoot(host)
  return (insight: PublishedInsight, presentation: Presentation) =>
    root.render(<ResultChart table={insight} presentation={presentation} />)
}
