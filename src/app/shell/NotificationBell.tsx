import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'

import type { WhoAmI } from '#contract/identity.ts'
import { unreadOptions } from '#src/api/notifications.ts'
import { BellButton } from './BellButton.tsx'

const BellPopover = lazy(async () => ({ default: (await import('./BellPopover.tsx')).BellPopover }))

/** The number of unread notifications; opens the latest ones. The popover's code loads on the first click. */
export function NotificationBell({ keyKind }: { keyKind: WhoAmI['keyKind'] }) {
  const isPerson = keyKind === 'personal'
  const { data } = useQuery({ ...unreadOptions(), enabled: isPerson })
  const [isWanted, setIsWanted] = useState(false)
  const unread = data?.entries.length ?? 0
  const shown = data?.next_cursor ? `${unread}+` : `${unread}`
  const looks = { unread: unread > 0 ? shown : null }
  const button = <BellButton {...looks} onClick={() => setIsWanted(true)} />
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <BellPopover {...looks} isPerson={isPerson} />
    </Suspense>
  )
}
