import { Anchor, Textarea } from '@mantine/core'

import { contextFields, type ContextKind } from '#contract/context-kinds.ts'
import { FieldDiff } from './FieldDiff.tsx'
import classes from './SuggestionForm.module.css'
import { fieldLabels } from './labels.ts'

type Props = {
  kind: ContextKind
  name: string
  /** The record's current value. */
  base: string
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

/** A field of a record, with a diff once it has changed. */
export function FieldEditor({ kind, name, base, value, fault, onChange }: Props) {
  const isChanged = value.trim() !== base
  const checked = contextFields[kind].partial().safeParse({ [name]: value })
  const invalid = isChanged ? checked.error?.issues[0]?.message : undefined
  return (
    <div className={classes.field}>
      <Textarea
        label={fieldLabels(name)}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={invalid ?? fault}
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
            className={classes.undo}
            aria-label={`Undo change to ${fieldLabels(name)}`}
            onClick={() => onChange(base)}
          >
            Undo change
          </Anchor>
        </>
      )}
    </div>
  )
}
