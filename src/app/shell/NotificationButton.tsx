import { IconBell } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

import classes from './NotificationBell.module.css'

/** The number is `?` after it could not be loaded. */
type Props = { unread: string | null } & ComponentProps<'button'>

const labelOf = (unread: string | null) => {
  if (unread === null) return 'Notifications'
  return unread === '?' ? 'Notifications, the unread ones could not be counted' : `Notifications, ${unread} unread`
}

export const NotificationButton = ({ unread, ...props }: Props) => (
  <button type="button" aria-haspopup="dialog" {...props} aria-label={labelOf(unread)} className={classes.bell}>
    <IconBell size={16} stroke={1.6} aria-hidden />
    {unread !== null && (
      <span className={classes.count} aria-hidden>
        {unread}
      </span>
    )}
  </button>
)
