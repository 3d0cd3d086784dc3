import { Anchor, Textarea } from '@mantine/core'

import formParts from '#src/ui/form-parts.module.css'
import { FieldDiff } from './FieldDiff.tsx'
import { fieldLabels } from './labels.ts'
import classes from './SuggestionForm.module.css'
import type { SuggestionFormState } from './use-suggestion-form.ts'

type Props = {
  form: SuggestionFormState
  name: string
  /** The record's current value. */
  base: string
  value: string
}

/** A field of a record, with a diff once it has changed. */
export function FieldEditor({ form, name, base, value }: Props) {
  const field = `fields.${name}`
  const isChanged = value.trim() !== base
  return (
    <div className={classes.field}>
      <Textarea
        label={fieldLabels(name)}
        {...form.getInputProps(field)}
        value={value}
        autosize
        minRows={1}
        maxRows={12}
      />
      {isChanged && (
        <>
          <FieldDiff name={name} before={base} after={value.trim()} isBelowField />
          <Anchor
            component="button"
            type="button"
            fz={12}
            className={formParts.verbAtStart}
            aria-label={`Undo change to ${fieldLabels(name)}`}
            onClick={() => form.setFieldValue(field, base)}
          >
            Undo change
          </Anchor>
        </>
      )}
    </div>
  )
}
