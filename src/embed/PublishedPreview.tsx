import './published.css'
import { useMemo } from 'react'

import type { PublishedInsight } from '#contract/publications.ts'
import { ResultChart } from '#src/charts/result/ResultChart.tsx'
import { MarkupView } from './MarkupView.tsx'
import { drawnAs, publishedMarkup } from './published-markup.ts'

/** The public page of an insight, shown inside the dashboard. */
export function PublishedPreview({ insight }: { insight: PublishedInsight }) {
  const { head, body, foot } = useMemo(() => publishedMarkup(insight), [insight])
  const presentation = drawnAs(insight)
  return (
    <div>
      <MarkupView parts={[head]} />
      {presentation && <ResultChart table={insight} presentation={presentation} />}
      <MarkupView parts={[body, foot]} />
    </div>
  )
}
