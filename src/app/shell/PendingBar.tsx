import { useNavigation } from 'react-router'

import classes from './PendingBar.module.css'

/** A thin line at the top while the next page loads; a fast page never shows it. */
export function PendingBar() {
  const { state } = useNavigation()
  return state === 'idle' ? null : <progress className={classes.bar} aria-label="Loading the page" />
}
