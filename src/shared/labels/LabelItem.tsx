import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { changeLabel, type Label } from '#contract/labels.ts'
import { removeLabel, rewriteLabel } from '#src/api/labels.ts'
import { useForm } from '#src/forms/use-form.ts'
import { RemovalNote, useRemovesRuns } from '#src/shared/retention/RemovalNote.tsx'
import { confirm } from '#src/ui/confirm.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { claimText } from './label-target.ts'
import classes from './labels.module.css'
import { Tag } from './Tag.tsx'

/** One label with its author, and what the reader may do with it. */
export function LabelItem({ runId, label }: { runId: string; label: Label }) {
  const [isEditing, setIsEditing] = useState(false)
  const { mutate, error, isPending } = useMutation({ mutationFn: () => removeLabel({ id: runId, labelId: label.id }) })
  const removesRuns = useRemovesRuns()
  const what = label.kind === 'tag' ? `tag ${label.text}` : label.kind === 'note' ? 'note' : 'dispute'
  const of = `the ${what} by ${label.createdBy.name}`
  const ask = () =>
    confirm({
      title: `Delete this ${label.kind}?`,
      lost: <RemovalNote keeps="Labels keep a run from retention." />,
      verb: `Delete ${label.kind}`,
      onConfirm: mutate,
    })
  return (
    <li className={classes.item}>
      {isEditing ? (
        <EditText runId={runId} label={label} onDone={() => setIsEditing(false)} />
      ) : (
        <div className={classes.said}>
          {label.kind === 'tag' && <Tag name={label.text} />}
          {label.kind === 'dispute' && <strong>{claimText(label)} </strong>}
          {label.kind !== 'tag' && <span className={classes.text}>{label.text}</span>}
          <Author label={label} />
        </div>
      )}
      <span className={classes.actions}>
        {label.canChange && !isEditing && (
          <Tooltip label="Edit">
            <ActionIcon variant="subtle" color="gray" aria-label={`Edit ${of}`} onClick={() => setIsEditing(true)}>
              <IconPencil size={15} />
            </ActionIcon>
          </Tooltip>
        )}
        {label.canDelete && (
          <Tooltip label="Delete">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Delete ${of}`}
              loading={isPending}
              onClick={() => (removesRuns ? ask() : mutate())}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Tooltip>
        )}
      </span>
      {error && <ErrorNotice title="The label was not deleted" error={error} />}
    </li>
  )
}

/** Who wrote it, and when. */
export const Author = ({ label: { createdBy, createdAt, updatedAt } }: { label: Label }) => (
  <span className={classes.author}>
    {createdBy.name}, <RelativeTime at={createdAt} />
    {updatedAt !== createdAt && ', edited'}
  </span>
)

/** Its button is gone, so the focus moves to the field. */
const select = (field: HTMLTextAreaElement | null) => field?.focus()

function EditText({ runId, label, onDone }: { runId: string; label: Label; onDone: () => void }) {
  const form = useForm({
    initialValues: { text: label.text },
    schema: changeLabel.body,
    toBody: ({ text }) => ({ text }),
    send: (body) => rewriteLabel({ id: runId, labelId: label.id, ...body }),
    onSent: onDone,
  })
  return (
    <form className={classes.edit} onSubmit={form.submit} noValidate>
      <Textarea
        aria-label={label.kind === 'note' ? 'Note' : 'Reason'}
        autosize
        maxRows={10}
        ref={select}
        {...form.getInputProps('text')}
      />
      {form.failure && <ErrorNotice title="Couldn’t save the text" error={form.failure} />}
      <span className={classes.line}>
        <Button type="submit" size="xs" loading={form.isPending}>
          Save
        </Button>
        <Button size="xs" variant="default" onClick={onDone}>
          Cancel
        </Button>
      </span>
    </form>
  )
}
