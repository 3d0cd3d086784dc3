import { IconBell } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

import classes from './NotificationBell.module.css'

type Props = { unread: string | null } & ComponentProps<'button'>

export const NotificationButton = ({ unread, ...props }: Props) => (
  <button
    type="button"
    aria-haspopup="dialog"
    {...props}
    aria-label={unread === null ? 'Notifications' : `Notifications, ${unread} unread`}
    className={classes.bell}
  >
    <IconBell size={16} stroke={1.6} aria-hidden />
    {unread !== null && (
      <span className={classes.count} aria-hidden>
        {unread}
      </span>
    )}
  </button>
)
