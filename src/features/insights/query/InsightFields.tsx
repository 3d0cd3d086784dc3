import { TagsInput, Textarea, TextInput } from '@mantine/core'

import type { Form } from '#src/forms/use-form.ts'
import classes from './saved.module.css'

type Props = { form: Form<{ heading: string; description: string; labels: string[] }>; isNew?: boolean }

/** The metadata fields of an insight. */
export const InsightFields = ({ form, isNew = false }: Props) => (
  <>
    <TextInput
      label="Title"
      placeholder="e.g. “Which model is cheapest per passed test?”"
      maxLength={200}
      {...form.getInputProps('heading')}
      data-autofocus={isNew || undefined}
    />
    <Textarea
      label="Description"
      maxLength={4000}
      autosize
      minRows={2}
      maxRows={8}
      {...form.getInputProps('description')}
    />
    <TagsInput
      label="Labels"
      description="Separate with commas"
      maxTags={20}
      classNames={{ inputField: classes.tag }}
      {...form.getInputProps('labels')}
      onChange={(next) =>
        form.setFieldValue(
          'labels',
          next.map((label) => label.slice(0, 60)),
        )
      }
    />
  </>
)
