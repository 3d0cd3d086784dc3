import { useIsConnected } from '#src/api/connection.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './ConnectionNotice.module.css'

/** Shown while the server does not answer. The page continues by itself when the server is back. */
export function ConnectionNotice() {
  const isConnected = useIsConnected()
  return (
    <output className={classes.place}>
      {!isConnected && (
        <Notice title="Reconnecting…">The server is not responding. Your work on this page is safe.</Notice>
      )}
    </output>
  )
}
