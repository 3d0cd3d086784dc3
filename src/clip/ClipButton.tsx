import { Button, type ButtonProps } from '@mantine/core'
import { IconScissors } from '@tabler/icons-react'

import { type ClipRequest, clipToReport, currentPath } from './clip-requests.ts'

/** What is clipped from a page; `path` is this page unless it says another. */
export type Clipping = Omit<ClipRequest, 'path'> & { path?: string }

type Props = {
  /** Read when it is pressed. */
  clip: () => Clipping
  size?: ButtonProps['size']
}

/** Quotes what it stands by into a report. */
export const ClipButton = ({ clip, size = 'xs' }: Props) => (
  <Button
    size={size}
    variant="default"
    leftSection={<IconScissors size={14} aria-hidden />}
    onClick={() => clipToReport({ path: currentPath(), ...clip() })}
  >
    Clip to report
  </Button>
)
