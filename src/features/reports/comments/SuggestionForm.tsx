import { Button, Textarea } from '@mantine/core'

import { anchorOf, type Paragraph } from '#contract/report-blocks/paragraphs.ts'
import { startThread } from '#contract/report-comments.ts'
import { limits } from '#contract/wire/limit.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import classes from './comments.module.css'
import { useComments } from './CommentsContext.ts'

/** Every thread has a comment, so that people can reply to it. */
const withoutWords = 'I suggest this text.'

/** Another text for a paragraph, with the reason. */
export function SuggestionForm({ paragraph, onDone }: { paragraph: Paragraph; onDone: () => void }) {
  const { start } = useComments()
  const form = useForm({
    initialValues: { replacement: paragraph.text, text: '' },
    schema: startThread.body,
    toBody: ({ replacement, text }) => ({ ...anchorOf(paragraph), replacement, text: text.trim() || withoutWords }),
    send: start,
    onSent: onDone,
  })
  const isSame = form.values.replacement.trimEnd() === paragraph.text
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate>
      <Textarea
        label="Suggested text"
        autosize
        minRows={3}
        maxRows={16}
        maxLength={limits.suggestedText}
        {...form.getInputProps('replacement')}
      />
      <Textarea label="Reason (optional)" autosize maxLength={limits.comment} {...form.getInputProps('text')} />
      {form.failure && <ErrorNotice title="The suggestion was not saved" error={form.failure} />}
      <div className={classes.actions}>
        <Button
          size="compact-sm"
          type="submit"
          loading={form.isPending}
          disabled={isSame}
          title={isSame ? 'Change the text to suggest another one' : undefined}
        >
          Suggest
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
