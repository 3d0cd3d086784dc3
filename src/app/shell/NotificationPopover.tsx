import { Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

import { LatestNotifications } from '#src/features/notifications/LatestNotifications.tsx'
import { PersonalKeyNeeded } from '#src/shared/notification-entries/PersonalKeyNeeded.tsx'
import { NotificationButton } from './NotificationButton.tsx'
import classes from './NotificationBell.module.css'

/** Mounted on first use, so it opens right away. */
export function NotificationPopover({ unread, isPerson }: { unread: string | null; isPerson: boolean }) {
  const [isOpen, { toggle, close }] = useDisclosure(true)
  return (
    <Popover
      opened={isOpen}
      onDismiss={close}
      onChange={(opened) => !opened && close()}
      position="bottom-start"
      shadow="sm"
      width="min(400px, calc(100vw - 40px))"
      trapFocus
      returnFocus
      withinPortal
      middlewares={{ shift: { padding: 12 }, flip: true }}
    >
      <Popover.Target>
        <NotificationButton unread={unread} onClick={toggle} />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications">
        {isPerson ? (
          <LatestNotifications hasUnread={unread !== null && unread !== '?'} onClose={close} />
        ) : (
          <div className={classes.explained}>
            <PersonalKeyNeeded />
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
