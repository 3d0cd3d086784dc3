import { Button, Textarea } from '@mantine/core'

import { addLabel } from '#contract/labels.ts'
import { putLabel } from '#src/api/labels.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import type { LabelTarget } from './label-target.ts'
import classes from './labels.module.css'

type Props = { runId: string; target: LabelTarget }

export function AddNote({ runId, target }: Props) {
  const form = useForm({
    initialValues: { text: '' },
    schema: addLabel.body,
    toBody: ({ text }) => ({ kind: 'note' as const, text, ...target }),
    send: (body) => putLabel({ id: runId, ...body }),
    onSent: () => {
      form.reset()
    },
  })
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate>
      <Textarea label="Note" autosize minRows={2} maxRows={10} {...form.getInputProps('text')} />
      {form.failure && <ErrorNotice title="Couldn’t add the note" error={form.failure} />}
      <Button type="submit" variant="default" className={classes.verb} loading={form.isPending}>
        Add note
      </Button>
    </form>
  )
}
