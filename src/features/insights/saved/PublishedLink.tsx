import { Button } from '@mantine/core'

import type { Publication } from '#contract/insights.ts'
import { exactTime } from '#src/format/dates.ts'
import { escapeHtml } from '#src/format/escape-html.ts'
import classes from '#src/shared/publishing/publishing.module.css'
import { CopyField } from '#src/ui/CopyField.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import formParts from '#src/ui/form-parts.module.css'

/** The public link and the embed code. */
export function PublishedLink({ publication, heading }: { publication: Publication; heading: string }) {
  const { url, publishedAt, isCurrent } = publication
  const frame = `<iframe src="${url}" title="${escapeHtml(heading)}" width="100%" height="480" style="border:0" loading="lazy"></iframe>`
  return (
    <div className={classes.content}>
      <p className={classes.words}>
        Published {exactTime(publishedAt)}. Anyone with this link can see the live result.
      </p>
      {!isCurrent && (
        <Notice title="The insight has changed since it was published.">
          The public page still shows the published version. To publish the new version, delete this insight and save it
          again.
        </Notice>
      )}
      <CopyField label="Link" value={url} what="link" />
      <CopyField
        label="Embed code"
        description="Add ?theme=light or ?theme=dark to the address to set the theme"
        value={frame}
        what="snippet"
        isLong
      />
      <p className={classes.words}>To revoke this link, delete the insight.</p>
      <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default" className={formParts.verb}>
        Open public page
      </Button>
    </div>
  )
}
