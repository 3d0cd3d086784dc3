import { Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

import { BellContent } from '#src/features/notifications/BellContent.tsx'
import { PersonalKeyNeeded } from '#src/notifications/PersonalKeyNeeded.tsx'
import { BellButton } from './BellButton.tsx'
import classes from './NotificationBell.module.css'

/** Mounted on first use, so it opens right away. */
export function BellPopover({ unread, isPerson }: { unread: string | null; isPerson: boolean }) {
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
        <BellButton unread={unread} onClick={toggle} />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications">
        {isPerson ? (
          <BellContent hasUnread={unread !== null} onClose={close} />
        ) : (
          <div className={classes.explained}>
            <PersonalKeyNeeded />
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
