import { Textarea, type TextareaProps } from '@mantine/core'

/** A list in a form, one entry per line. `linesOf` reads it. */
export const LinesInput = (props: Pick<TextareaProps, 'label' | 'description' | 'value' | 'onChange' | 'error'>) => (
  <Textarea autosize minRows={2} {...props} />
)
