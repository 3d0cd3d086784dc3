import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { exactTime } from '#src/format/dates.ts'

type Props = {
  since: string | undefined
  before: string | undefined
  onClear: (change: { endedSince: undefined; endedBefore: undefined }) => void
}

/** When runs ended. Charts link to it; it appears if the URL has it. */
export function EndedFilter({ since, before, onClear }: Props) {
  if (!since && !before) return null
  const words = [since && `from ${exactTime(since)}`, before && `before ${exactTime(before)}`].filter(Boolean).join(' ')
  return (
    <Button
      variant="light"
      fw={450}
      rightSection={<IconX size={12} aria-label="Remove this filter" />}
      onClick={() => onClear({ endedSince: undefined, endedBefore: undefined })}
    >
      {`Ended ${words}`}
    </Button>
  )
}
