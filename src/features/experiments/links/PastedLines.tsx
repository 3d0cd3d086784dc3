import type { PastedLine } from './parse-links.ts'
import classes from './links.module.css'

/** What the pasted lines would become, before anything is sent. */
export const PastedLines = ({ lines }: { lines: readonly PastedLine[] }) =>
  lines.length > 0 && (
    <ol className={classes.preview} aria-label="Links to add">
      {lines.map(({ line, text, link, fault }) => (
        <li key={line}>
          {link ? (
            <>
              <b>{link.title}</b> <span className={classes.address}>{link.url}</span>
            </>
          ) : (
            <>
              <span className={classes.fault}>Line {line} skipped:</span> {fault}
              <span className={classes.address}> {text}</span>
            </>
          )}
        </li>
      ))}
    </ol>
  )
