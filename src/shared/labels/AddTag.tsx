import { Autocomplete, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { addLabel } from '#contract/labels.ts'
import { putLabel, tagListOptions } from '#src/api/labels.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import type { LabelTarget } from './label-target.ts'
import classes from './labels.module.css'

/** Suggests the organization's tags, so that people use the same names. */
export function AddTag({ runId, target }: { runId: string; target: LabelTarget }) {
  const { data } = useQuery(tagListOptions())
  const form = useForm({
    initialValues: { text: '' },
    schema: addLabel.body,
    toBody: ({ text }) => ({ kind: 'tag' as const, text, ...target }),
    send: (body) => putLabel({ id: runId, ...body }),
    onSent: (): void => form.reset(),
  })
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate>
      <div className={classes.line}>
        <Autocomplete
          label="Tag"
          data={data?.tags.map(({ name }) => name) ?? []}
          limit={8}
          openOnFocus={false}
          // Outside the dialog, it would be outside every landmark.
          comboboxProps={{ withinPortal: false }}
          className={classes.field}
          {...form.getInputProps('text')}
          data-autofocus
        />
        <Button type="submit" variant="default" loading={form.isPending}>
          Add tag
        </Button>
      </div>
      {form.failure && <ErrorNotice title="Couldn’t add the tag" error={form.failure} />}
    </form>
  )
}
