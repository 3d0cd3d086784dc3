import type { ReactNode } from 'react'

import classes from './FactBand.module.css'

/** Named values side by side, wrapped as the width allows; each is a `Fact`. */
export const FactBand = ({ children }: { children: ReactNode }) => <dl className={classes.band}>{children}</dl>
