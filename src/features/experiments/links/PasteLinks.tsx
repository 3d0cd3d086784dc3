import { Button, Textarea } from '@mantine/core'

import { addResources } from '#contract/resources.ts'
import { addLinks } from '#src/api/resources.ts'
import { counted } from '#src/format/numbers.ts'
import { type Form, useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { parseLinks, type PastedLine } from './parse-links.ts'
import classes from './links.module.css'

/** Previews the links in the pasted lines. */
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

const schema = addResources.body.pick({ resources: true }).required()

const linksIn = (lines: readonly PastedLine[]) => lines.flatMap(({ link }) => link ?? [])

const focus = (input: HTMLTextAreaElement | null) => input?.focus()

/** Adds several links at once; lines without a link stay in the box to be corrected. */
export function PasteLinks({ experimentId, onClose }: { experimentId: string; onClose: () => void }) {
  const form: Form<{ text: string }> = useForm({
    initialValues: { text: '' },
    schema,
    toBody: ({ text }) => ({ resources: linksIn(parseLinks(text)) }),
    send: ({ resources }) => addLinks(experimentId, resources),
    onSent() {
      const left = lines.filter(({ fault }) => fault !== null)
      if (left.length > 0) form.setValues({ text: left.map((line) => line.text).join('\n') })
      else onClose()
    },
  })
  const lines = parseLinks(form.values.text)
  const links = linksIn(lines)
  return (
    <form aria-label="Paste links" className={classes.form} onSubmit={form.submit} noValidate>
      <Textarea
        ref={focus}
        size="xs"
        rows={5}
        label="One link per line"
        description="Title https://…, Markdown links, or plain URLs"
        {...form.getInputProps('text')}
      />
      <PastedLines lines={lines} />
      {links.length > most && <p className={classes.fault}>You can add up to {most} links at a time.</p>}
      {form.failure && <ErrorNotice title="No links were added" error={form.failure} />}
      <div className={classes.verbs}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          type="submit"
          loading={form.isPending}
          disabled={links.length === 0 || links.length > most}
          title={links.length === 0 ? 'No links found above' : undefined}
        >
          Add {counted(links.length, 'link')}
        </Button>
      </div>
    </form>
  )
}
