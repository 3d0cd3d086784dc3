import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'

import { type ImageReference, type ImageTexts, imageTextLimits } from '#contract/report-blocks/images.ts'
import { imageSource } from '#src/api/report-images.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import dialogFoot from '#src/ui/dialog-foot.module.css'
import formParts from '#src/ui/form-parts.module.css'
import classes from './ReportImage.module.css'

type Props = { image: ImageReference; texts: ImageTexts; onSave: (texts: ImageTexts) => void; onClose: () => void }

/** Edits the texts of an image. */
export function ImageDialog({ image, texts, onSave, onClose }: Props) {
  const [{ alt, caption = '' }, setDraft] = useState(texts)
  const save = (event: FormEvent) => {
    event.preventDefault()
    // Dialogs are portals, whose events bubble to the image's own ancestors.
    event.stopPropagation()
    onSave({ alt: alt.trim(), caption: caption.trim() })
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title="Describe image">
      <form className={formParts.form} onSubmit={save} noValidate>
        <img
          className={classes.thumbnail}
          src={imageSource(image.id)}
          width={image.width}
          height={image.height}
          alt=""
        />
        <Textarea
          label="Alt text"
          description="What the image shows, for people who can’t see it."
          autosize
          maxLength={imageTextLimits.alt}
          value={alt}
          onChange={(event) => setDraft({ alt: event.currentTarget.value, caption })}
          data-autofocus
        />
        <Textarea
          label="Caption"
          description="Optional. Shown below the image."
          autosize
          maxLength={imageTextLimits.caption}
          value={caption}
          onChange={(event) => setDraft({ alt, caption: event.currentTarget.value })}
        />
        <div className={dialogFoot.foot}>
          <Button variant="default" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit">Save description</Button>
        </div>
      </form>
    </Dialog>
  )
}
