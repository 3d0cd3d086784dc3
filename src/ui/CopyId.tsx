import { useClipboard } from '@mantine/hooks'

import { shortId } from '#src/format/ids.ts'
import classes from './CopyId.module.css'

/** A shortened id. Hovering shows it in full; clicking copies it. */
export function CopyId({ id, what, short = shortId(id) }: { id: string; what: string; short?: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <button
      type="button"
      className={classes.id}
      title={id}
      aria-label={`${short}: copy ${what} ${id}`}
      onClick={() => clipboard.copy(id)}
    >
      {short}
      {clipboard.copied && <output className={classes.copied}>copied</output>}
    </button>
  )
}
