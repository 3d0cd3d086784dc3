import { memo, useCallback } from 'react'

import { type InsightBlock, parseInsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import type { Mention } from '#contract/report-blocks/mentions.ts'
import { type SourceRange, ReportMarkdown } from '#src/markdown/ReportMarkdown.tsx'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { InsightFigure } from './insight-blocks/InsightFigure.tsx'
import classes from './reports.module.css'

type Props = {
  body: string
  /** Replaces a block; `place` and `text` are those of the shown block. */
  onChangeBlock: (place: SourceRange, text: string, block: InsightBlock) => void
}

export const ReportPreview = memo(function ReportPreview({ body, onChangeBlock }: Props) {
  const renderInsight = useCallback(
    (text: string, place: SourceRange) => showInsight(text, place, onChangeBlock),
    [onChangeBlock],
  )
  if (body.trim() === '')
    return <EmptyState title="Nothing here yet" hint="Type on the left. Press / to insert a block." />
  return (
    <ReportMarkdown mentionHref={mentionHref} renderInsight={renderInsight}>
      {body}
    </ReportMarkdown>
  )
})

function mentionHref(mention: Mention) {
  switch (mention.kind) {
    case 'experiment':
      return paths.experiment(mention.id)
    case 'run':
      return paths.run(mention.id)
    case 'context':
      return paths.contextRecord({ kind: mention.contextKind, id: mention.id })
    case 'person':
      return undefined
  }
}

function showInsight(text: string, place: SourceRange, onChange: Props['onChangeBlock']) {
  const parsed = parseInsightBlock(text)
  if ('block' in parsed) {
    return <InsightFigure block={parsed.block} onChange={(block) => onChange(place, text, block)} />
  }
  return (
    <p role="note" className={classes.problem}>
      This insight block is invalid. {parsed.problem}
    </p>
  )
}
