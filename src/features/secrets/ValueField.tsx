import { Anchor, Switch, Textarea } from '@mantine/core'
import { useState } from 'react'

import { isMasked } from '#contract/secrets.ts'
import type { Form } from '#src/forms/use-form.ts'
import classes from './secrets.module.css'

type Props = { form: Form<{ value: string }>; isFirst: boolean }

const focus = (input: HTMLTextAreaElement | null) => input?.focus()

/** A field for several lines, because some keys have them, and masked by default. Warns about common paste mistakes. */
export function ValueField({ form, isFirst }: Props) {
  const { value } = form.values
  const [isShown, setIsShown] = useState(false)
  const isPadded = value !== '' && value !== value.trim()
  return (
    <div className={classes.value}>
      <Textarea
        ref={isFirst ? focus : undefined}
        label="Value"
        description="Encrypted on save; it can’t be viewed again"
        {...form.getInputProps('value')}
        autosize
        minRows={2}
        maxRows={10}
        classNames={{ input: classes.valueInput }}
        data-hidden={!isShown || undefined}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        data-autofocus={isFirst || undefined}
      />
      <Switch
        size="xs"
        label="Show value"
        checked={isShown}
        onChange={(event) => setIsShown(event.currentTarget.checked)}
      />
      <output className={classes.note}>
        {isPadded && (
          <p className={classes.line}>
            Has leading or trailing whitespace, which will be stored.{' '}
            <Anchor component="button" type="button" fz={12} onClick={() => form.setFieldValue('value', value.trim())}>
              Remove
            </Anchor>
          </p>
        )}
        {value !== '' && !isMasked(value) && (
          <p className={classes.line}>Shorter than 4 bytes: runs receive it, but it isn’t masked in their output.</p>
        )}
      </output>
    </div>
  )
}
