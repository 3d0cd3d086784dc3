import { IconSelector } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

import classes from './Shell.module.css'

type Props = { text: string | undefined; label: string } & ComponentProps<'button'>

export const MenuButton = ({ text, label, className = '', ...props }: Props) => (
  <button
    type="button"
    aria-label={label}
    aria-haspopup="menu"
    {...props}
    className={`${classes.navButton} ${className}`}
  >
    <span className={classes.grow}>{text}</span>
    <IconSelector size={14} aria-hidden />
  </button>
)
