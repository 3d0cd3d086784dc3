import { Button, Checkbox, TextInput } from '@mantine/core'

import { createSavedView, type SavedView } from '#contract/saved-views.ts'
import { ForWriters } from '#src/shared/writers/ForWriters.tsx'
import { addSavedView, changeSavedView } from '#src/api/saved-views.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './SavedViews.module.css'
import type { ViewedPage } from './saved-view-links.ts'
import { ViewList } from './ViewList.tsx'

type Props = {
  page: ViewedPage
  views: readonly SavedView[]
  /** The filters of now. */
  query: string
  /** The id of the reader, unless the key belongs to no person. */
  person: string | null
  error: Error | null
  onRetry: () => void
  onDone: () => void
}

export function ViewsDialog({ page, views, query, person, error, onRetry, onDone }: Props) {
  if (person === null)
    return <p className={mutedText.note}>You are signed in with an organization key. Only a person can save views.</p>
  const own = views.filter(({ createdBy }) => createdBy.id === person)
  return (
    <div className={classes.dialog}>
      <ForWriters
        instead={<p className={mutedText.note}>Your role is viewer: you can mark views, but not save any.</p>}
      >
        <SaveForm {...{ page, own, query, onDone }} />
      </ForWriters>
      {error && <ErrorNotice title="The saved views could not be loaded" error={error} onRetry={onRetry} />}
      {views.length > 0 && <ViewList views={views} person={person} />}
    </div>
  )
}

type FormProps = Pick<Props, 'page' | 'query' | 'onDone'> & { own: readonly SavedView[] }

/** Saves the filters under a new name, or in place of the reader's view of that name. */
function SaveForm({ page, own, query, onDone }: FormProps) {
  const sameName = (name: string) => own.find((view) => view.name === name.trim())
  const form = useForm({
    initialValues: { name: '', isShared: false },
    schema: createSavedView.body,
    toBody: ({ name, isShared }) => ({ ...page, name, query, isShared }),
    send: (body) => {
      const replaced = sameName(body.name)
      return replaced
        ? changeSavedView({ viewId: replaced.id, query, isShared: body.isShared ?? false })
        : addSavedView(body)
    },
    onSent: onDone,
    conflictField: 'name',
  })
  const replaced = sameName(form.values.name)
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate>
      <p className={mutedText.note}>
        {query === ''
          ? 'No filters are selected. The view shows the whole page.'
          : 'The view saves the filters, the sort order and the settings of this page.'}
      </p>
      <TextInput
        label="Name"
        data-autofocus
        {...form.getInputProps('name')}
        description={replaced ? `Replaces your view “${replaced.name}”.` : undefined}
      />
      <Checkbox
        label="Share with everyone in the organization"
        {...form.getInputProps('isShared', { type: 'checkbox' })}
      />
      {form.failure && <ErrorNotice title="Couldn’t save the view" error={form.failure} />}
      <Button type="submit" loading={form.isPending} className={classes.verb}>
        {replaced ? 'Replace view' : 'Save view'}
      </Button>
    </form>
  )
}
