import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'

import type { ImageTexts } from '#contract/report-blocks/images.ts'
import { imageSource } from '#src/api/report-images.ts'
import type { ShownImage } from '#src/markdown/ReportMarkdown.tsx'
import { ImageDialog } from './ImageDialog.tsx'
import classes from './ReportImage.module.css'

type Props = {
  shown: ShownImage
  /** Changes its texts; omitted if the report is read-only. */
  onChange?: (texts: ImageTexts) => void
}

/** An image of a report. Its size is known before it loads, so the page keeps its place. */
export function ReportImage({ shown: { image, texts }, onChange }: Props) {
  const [isEditing, setEditing] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const { alt, caption } = texts
  const name = alt || 'Image without alt text'
  // Spans, because an image may be part of a paragraph.
  return (
    <span className={classes.frame}>
      {isMissing ? (
        <span role="note" className={classes.missing}>
          This image could not be loaded: {name}
        </span>
      ) : (
        <img
          className={classes.image}
          src={imageSource(image.id)}
          width={image.width}
          height={image.height}
          alt={name}
          onError={() => setMissing(true)}
        />
      )}
      {caption && <span className={classes.caption}>{caption}</span>}
      {onChange && (
        <Button
          size="compact-xs"
          variant="default"
          className={classes.edit}
          leftSection={<IconPencil size={12} aria-hidden />}
          onClick={() => setEditing(true)}
        >
          {alt ? 'Edit image' : 'Add alt text'}
        </Button>
      )}
      {onChange && isEditing && (
        <ImageDialog image={image} texts={texts} onSave={onChange} onClose={() => setEditing(false)} />
      )}
    </span>
  )
}
