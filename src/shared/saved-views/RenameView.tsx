import { Button, TextInput } from '@mantine/core'

import { type SavedView, updateSavedView } from '#contract/saved-views.ts'
import { changeSavedView } from '#src/api/saved-views.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import classes from './SavedViews.module.css'

/** Its button is gone, so the focus moves to the field. */
const select = (field: HTMLInputElement | null) => field?.select()

export function RenameView({ view, onDone }: { view: SavedView; onDone: () => void }) {
  const form = useForm({
    initialValues: { name: view.name },
    schema: updateSavedView.body,
    toBody: ({ name }) => ({ name }),
    send: (body) => changeSavedView({ viewId: view.id, ...body }),
    onSent: onDone,
    conflictField: 'name',
  })
  return (
    <form className={classes.rename} onSubmit={form.submit} noValidate>
      <TextInput aria-label={`New name of ${view.name}`} size="xs" ref={select} {...form.getInputProps('name')} />
      <Button type="submit" size="xs" loading={form.isPending}>
        Rename
      </Button>
      <Button size="xs" variant="default" onClick={onDone}>
        Cancel
      </Button>
      {form.failure && <ErrorNotice title="Couldn’t rename the view" error={form.failure} />}
    </form>
  )
}
