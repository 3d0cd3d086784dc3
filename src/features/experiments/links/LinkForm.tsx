import { Button, TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'

import { NewResource } from '#contract/resources.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import classes from './links.module.css'

type Props = {
  /** The name of the form, such as "Add link". */
  label: string
  verb: string
  start: NewResource
  send: (link: NewResource) => Promise<unknown>
  onSent: () => void
  onCancel: () => void
}

const focus = (input: HTMLInputElement | null) => input?.focus()

/** Title and address of one link; Enter saves, Escape leaves. */
export function LinkForm({ label, verb, start, send, onSent, onCancel }: Props) {
  const form = useForm({ initialValues: start, schema: NewResource, toBody: (link) => link, send, onSent })
  const leaveOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
  }
  return (
    <form aria-label={label} className={classes.form} onSubmit={form.submit} noValidate>
      <TextInput ref={focus} size="xs" label="Title" onKeyDown={leaveOnEscape} {...form.getInputProps('title')} />
      <TextInput
        size="xs"
        type="url"
        label="URL"
        placeholder="https://"
        onKeyDown={leaveOnEscape}
        {...form.getInputProps('url')}
      />
      {form.failure && <ErrorNotice title="The link was not saved" error={form.failure} />}
      <div className={classes.verbs}>
        <Button variant="default" onClick={onCancel}>
          Close
        </Button>
        <Button type="submit" loading={form.isPending}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
