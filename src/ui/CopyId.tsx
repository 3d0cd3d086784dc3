import { Tooltip, UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

import { shortId } from '#src/format/ids.ts'
import classes from './CopyId.module.css'

/** An id: shortened, whole on hover, copied on click. */
export function CopyId({ id, what, short = shortId(id) }: { id: string; what: string; short?: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Tooltip label={clipboard.copied ? 'Copied' : id} openDelay={clipboard.copied ? 0 : 300} closeDelay={0}>
      <UnstyledButton
        className={classes.id}
        aria-label={`Copy ${what} ${id}`}
        data-copied={clipboard.copied || undefined}
        onClick={() => clipboard.copy(id)}
      >
        {short}
      </UnstyledButton>
    </Tooltip>
  )
}
