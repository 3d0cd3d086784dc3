import { TagsInput, Textarea, TextInput } from '@mantine/core'

import classes from './saved.module.css'

type Fields = { heading: string; description: string; labels: string[] }

type Props = {
  value: Fields
  onChange: (fields: Fields) => void
  headingFault: string | undefined
  isNew?: boolean
}

/** The metadata fields of an insight. */
export function InsightFields({ value, onChange, headingFault, isNew = false }: Props) {
  const { heading, description, labels } = value
  return (
    <>
      <TextInput
        label="Title"
        placeholder="e.g. “Which model is cheapest per passed test?”"
        value={heading}
        maxLength={200}
        onChange={(event) => onChange({ ...value, heading: event.currentTarget.value })}
        error={headingFault}
        data-autofocus={isNew || undefined}
      />
      <Textarea
        label="Description"
        value={description}
        maxLength={4000}
        autosize
        minRows={2}
        maxRows={8}
        onChange={(event) => onChange({ ...value, description: event.currentTarget.value })}
      />
      <TagsInput
        label="Labels"
        description="Separate with commas"
        value={labels}
        maxTags={20}
        classNames={{ inputField: classes.tag }}
        onChange={(next) => onChange({ ...value, labels: next.map((label) => label.slice(0, 60)) })}
      />
    </>
  )
}
