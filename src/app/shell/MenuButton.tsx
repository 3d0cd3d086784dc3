import { IconSelector } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

import classes from './Shell.module.css'

type Props = { text: string | undefined; label: string } & ComponentProps<'button'>

export const MenuButton = ({ text, label, ...props }: Props) => (
  <button type="button" className={classes.navButton} aria-label={label} aria-haspopup="menu" {...props}>
    <span className={classes.grow}>{text}</span>
    <IconSelector size={14} aria-hidden />
  </button>
)
