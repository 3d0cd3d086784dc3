import { memo, type ReactNode, useCallback } from 'react'

import { formatChartBlock, parseChartBlock } from '#contract/report-blocks/chart-blocks.ts'
import { formatInsightBlock, parseInsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import type { ImageTexts } from '#contract/report-blocks/images.ts'
import { mentionHref } from '#src/markdown/mention-href.ts'
import { ReportMarkdown, type ShownImage, type SourceRange } from '#src/markdown/ReportMarkdown.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ChartFigure } from './chart-blocks/ChartFigure.tsx'
import { ReportImage } from './images/ReportImage.tsx'
import { FigureProblem } from '#src/shared/figures/FigureProblem.tsx'
import { InsightFigure } from '#src/shared/insight-figures/InsightFigure.tsx'
import type { ShownBlock } from './replace-block.ts'

/** Replaces the shown block by another text. */
export type ChangeBlock = (shown: ShownBlock, block: string) => void

type Props = {
  body: string
  /** Omitted if the text is read-only. */
  onChangeBlock?: ChangeBlock
  onChangeImage?: ChangeImage
  /** Renders the margin beside a block of the text. */
  renderMargin?: (place: SourceRange) => ReactNode
  /** Adds a table of contents before the text, unless the text has its own. */
  hasContents?: boolean
}

/** Gives an image other texts. */
type ChangeImage = (shown: ShownImage, texts: ImageTexts) => void

export const ReportPreview = memo(function ReportPreview({
  body,
  onChangeBlock,
  onChangeImage,
  renderMargin,
  hasContents = false,
}: Props) {
  const renderBlock = useCallback((shown: ShownBlock) => showBlock(shown, onChangeBlock), [onChangeBlock])
  const renderImage = useCallback(
    (shown: ShownImage) => (
      <ReportImage shown={shown} {...(onChangeImage && { onChange: (texts) => onChangeImage(shown, texts) })} />
    ),
    [onChangeImage],
  )
  if (body.trim() === '')
    return <EmptyState title="Nothing here yet" hint="Type on the left. Press / to insert a block." />
  return (
    <ReportMarkdown
      mentionHref={mentionHref}
      renderBlock={renderBlock}
      renderImage={renderImage}
      renderMargin={renderMargin}
      hasContents={hasContents}
    >
      {body}
    </ReportMarkdown>
  )
})

function showBlock(shown: ShownBlock, onChange: ChangeBlock | undefined) {
  if (shown.language === 'insight') {
    const parsed = parseInsightBlock(shown.text)
    if ('problem' in parsed) return <InvalidBlock name="insight" problem={parsed.problem} />
    const change = onChange && { onChange: (block: typeof parsed.block) => onChange(shown, formatInsightBlock(block)) }
    return <InsightFigure block={parsed.block} {...change} />
  }
  if (shown.language === 'chart') {
    const parsed = parseChartBlock(shown.text)
    if ('problem' in parsed) return <InvalidBlock name="chart" problem={parsed.problem} />
    const change = onChange && { onChange: (block: typeof parsed.block) => onChange(shown, formatChartBlock(block)) }
    return <ChartFigure block={parsed.block} {...change} />
  }
  return undefined
}

const InvalidBlock = ({ name, problem }: { name: string; problem: string }) => (
  <FigureProblem>
    This {name} block is invalid. {problem}
  </FigureProblem>
)
