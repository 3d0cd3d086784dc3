import { Button, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

import classes from './ShownOnce.module.css'

type Props = {
  label: string
  value: string
  /** What the button copies, such as "key". */
  what: string
}

/** A text that cannot be shown again, with a button that copies it. */
export function ShownOnce({ label, value, what }: Props) {
  const clipboard = useClipboard({ timeout: 2000 })
  return (
    <div className={classes.row}>
      <TextInput
        label={label}
        value={value}
        readOnly
        classNames={{ input: classes.mono }}
        onFocus={(event) => event.currentTarget.select()}
        data-autofocus
      />
      <Button
        size="sm"
        leftSection={clipboard.copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        onClick={() => clipboard.copy(value)}
      >
        {clipboard.copied ? 'Copied' : `Copy ${what}`}
      </Button>
    </div>
  )
}
