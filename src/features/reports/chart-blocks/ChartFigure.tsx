import { Button, Skeleton } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'

import type { ChartBlock } from '#contract/report-blocks/chart-blocks.ts'
import { NotPrinted } from '#src/figures/NotPrinted.tsx'
import { PageFigure } from '#src/figures/PageFigure.tsx'
import { useFigureLoad } from '#src/figures/use-figure-load.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './ChartFigure.module.css'
import { ChartBlockDialog } from './ChartBlockDialog.tsx'

type Props = {
  block: ChartBlock
  /** Replaces the block in the text; omitted if the text is read-only. */
  onChange?: (block: ChartBlock) => void
}

/** A live view of a page in a report. It loads when it comes near the screen, at most three at once. */
export function ChartFigure({ block, onChange }: Props) {
  const { page, title, caption, size, align } = block
  const [isEditing, setEditing] = useState(false)
  const { ref, stage } = useFigureLoad<HTMLElement>()
  const name = title ?? 'Figure'
  return (
    <figure
      ref={ref}
      data-figure={stage}
      className={classes.figure}
      data-size={size}
      data-align={align}
      aria-label={name}
    >
      <div className={classes.head}>
        <strong className={classes.title}>
          <TextLink href={page}>{name}</TextLink>
        </strong>
        <span className={classes.detail}>live</span>
        {onChange && (
          <Button
            size="compact-xs"
            variant="default"
            className={classes.edit}
            leftSection={<IconPencil size={12} aria-hidden />}
            onClick={() => setEditing(true)}
          >
            Edit figure
          </Button>
        )}
      </div>
      {stage === 'waiting' ? <Skeleton height={240} /> : <PageFigure path={page} />}
      {stage !== 'ready' && <NotPrinted />}
      {caption && <figcaption className={classes.caption}>{caption}</figcaption>}
      {onChange && isEditing && <ChartBlockDialog block={block} onSave={onChange} onClose={() => setEditing(false)} />}
    </figure>
  )
}
