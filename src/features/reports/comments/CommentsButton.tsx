import { Button } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'

import { useComments } from './CommentsContext.ts'

/** Opens and closes the comments. Counts the threads that are not resolved. */
export function CommentsButton() {
  const { placed, isOpen, open, close } = useComments()
  const count = placed.filter(({ thread }) => !thread.resolved).length
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconMessage size={14} aria-hidden />}
      aria-expanded={isOpen}
      onClick={isOpen ? close : open}
    >
      {count > 0 ? `Comments (${count})` : 'Comments'}
    </Button>
  )
}
