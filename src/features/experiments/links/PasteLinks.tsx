import { Button, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import type { NewResource } from '#contract/resources.ts'
import { addLinks } from '#src/api/resources.ts'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { parseLinks, type PastedLine } from './parse-links.ts'
import classes from './links.module.css'

/** What the pasted lines would become, before anything is sent. */
const PastedLines = ({ lines }: { lines: readonly PastedLine[] }) =>
  lines.length > 0 && (
    <ol className={classes.preview} aria-label="Links to add">
      {lines.map(({ line, text, link, fault }) => (
        <li key={line}>
          {link ? (
            <>
              <b>{link.title}</b> <span className={classes.address}>{link.url}</span>
            </>
          ) : (
            <>
              <span className={classes.fault}>Line {line} skipped:</span> {fault}
              <span className={classes.address}> {text}</span>
            </>
          )}
        </li>
      ))}
    </ol>
  )

const most = 200

const focus = (input: HTMLTextAreaElement | null) => input?.focus()

/** Adds several links at once; lines without a link stay in the box to be corrected. */
export function PasteLinks({ experimentId, onClose }: { experimentId: string; onClose: () => void }) {
  const [text, setText] = useState('')
  const lines = parseLinks(text)
  const links = lines.flatMap(({ link }) => link ?? [])
  const left = lines.filter(({ fault }) => fault !== null)
  const adding = useMutation({
    mutationFn: (resources: NewResource[]) => addLinks(experimentId, resources),
    onSuccess: () => (left.length > 0 ? setText(left.map((line) => line.text).join('\n')) : onClose()),
  })
  return (
    <form
      aria-label="Paste links"
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        adding.mutate(links)
      }}
    >
      <Textarea
        ref={focus}
        size="xs"
        rows={5}
        label="One link per line"
        description="Title https://…, Markdown links, or plain addresses"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <PastedLines lines={lines} />
      {links.length > most && <p className={classes.fault}>You can add up to {most} links at a time.</p>}
      {adding.error && <ErrorNotice title="No links were added" error={adding.error} />}
      <div className={classes.verbs}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          type="submit"
          loading={adding.isPending}
          disabled={links.length === 0 || links.length > most}
          title={links.length === 0 ? 'No links found above' : undefined}
        >
          Add {counted(links.length, 'link')}
        </Button>
      </div>
    </form>
  )
}
