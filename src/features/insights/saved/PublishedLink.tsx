import { Button, Textarea, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

import type { Publication } from '#contract/insights.ts'
import { exactTime } from '#src/format/dates.ts'
import { escapeHtml } from '#src/format/escape-html.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from '#src/features/insights/query/saved.module.css'

/** The public link and the embed code. */
export function PublishedLink({ publication, heading }: { publication: Publication; heading: string }) {
  const { url, publishedAt, isCurrent } = publication
  const frame = `<iframe src="${url}" title="${escapeHtml(heading)}" width="100%" height="480" style="border:0" loading="lazy"></iframe>`
  return (
    <div className={classes.form}>
      <p className={classes.words}>
        Published {exactTime(publishedAt)}. Anyone with this link can see the live result.
      </p>
      {!isCurrent && (
        <Notice title="The insight has changed since it was published.">
          The public page still shows the published version. To publish the new version, delete this insight and save it
          again.
        </Notice>
      )}
      <div className={classes.copied}>
        <TextInput label="Link" value={url} readOnly onFocus={(event) => event.currentTarget.select()} />
        <CopyButton what="link" text={url} />
      </div>
      <div className={classes.copied}>
        <Textarea
          label="Embed code"
          description="Add ?theme=light or ?theme=dark to the address to set the theme"
          value={frame}
          readOnly
          autosize
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton what="snippet" text={frame} />
      </div>
      <p className={classes.words}>To revoke this link, delete the insight.</p>
      <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default" className={classes.verb}>
        Open public page
      </Button>
    </div>
  )
}

function CopyButton({ what, text }: { what: string; text: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Button size="sm" variant="default" onClick={() => clipboard.copy(text)}>
      {clipboard.copied ? 'Copied' : `Copy ${what}`}
    </Button>
  )
}
