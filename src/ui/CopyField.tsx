import { Button, Textarea, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

import classes from './CopyField.module.css'
import { whoCanOpen } from './who-can-open.ts'

type Props = {
  label: string
  value: string
  /** What the button copies, such as "key". */
  what: string
  /** The text cannot be shown again, so copying it is the main thing to do. */
  isShownOnce?: boolean
  /** Shows the whole of a long text. */
  isLong?: boolean
  description?: string
}

/** A text to take elsewhere, with a button that copies it. */
export function CopyField(props: Props) {
  const { label, value, what, isShownOnce = false, isLong = false } = props
  const description = props.description ?? (what === 'link' ? whoCanOpen(value) : undefined)
  const clipboard = useClipboard({ timeout: 1500 })
  const field = { label, description, value, readOnly: true }
  const select = (event: { currentTarget: { select: () => void } }) => event.currentTarget.select()
  return (
    <div className={classes.row}>
      {isLong ? (
        <Textarea {...field} autosize onFocus={select} />
      ) : (
        <TextInput
          {...field}
          classNames={{ input: isShownOnce ? classes.mono : undefined }}
          onFocus={select}
          data-autofocus={isShownOnce || undefined}
        />
      )}
      <Button
        size="sm"
        variant={isShownOnce ? 'filled' : 'default'}
        leftSection={clipboard.copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        onClick={() => clipboard.copy(value)}
      >
        {clipboard.copied ? 'Copied' : `Copy ${what}`}
      </Button>
    </div>
  )
}
