import '#src/charts/series.css'
import '#src/charts/result/result-chart.css'
import './published.css'
import { useElementSize } from '@mantine/hooks'
import { useMemo } from 'react'

import type { PublishedInsight } from '#contract/publications.ts'
import { MarkupView } from '#src/charts/result/MarkupView.tsx'
import { publishedMarkup } from './published-markup.ts'

/** The public page of an insight, shown inside the dashboard. */
export function PublishedPreview({ insight }: { insight: PublishedInsight }) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const parts = useMemo(() => (width > 0 ? publishedMarkup(insight, width).parts : []), [insight, width])
  return (
    <div ref={ref}>
      <MarkupView parts={parts} />
    </div>
  )
}
