import { Button } from '@mantine/core'

/** The next page of a list. */
export type More = { pending: boolean; onMore: () => void }

/** Below a list; nothing after its last page. */
export const LoadMore = ({ more, children = 'Load more' }: { more: More | null | undefined; children?: string }) =>
  more && (
    <Button variant="default" flex="none" loading={more.pending} onClick={more.onMore}>
      {children}
    </Button>
  )
