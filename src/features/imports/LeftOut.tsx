import type { ImportLeftOut } from '#contract/imports.ts'
import { groupLeftOut } from '#contract/left-out.ts'
import { count, counted } from '#src/format/numbers.ts'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import { Section } from '#src/ui/Section.tsx'
import classes from './imports.module.css'

/** Every file that does not come in, by reason, and notes about those that do. */
export function LeftOut({ leftOut }: { leftOut: readonly ImportLeftOut[] }) {
  const groups = groupLeftOut(leftOut)
  const total = groups.reduce((sum, group) => sum + group.count, 0)
  if (leftOut.length === 0) return null
  return (
    <Section title={total === 0 ? 'Notes' : `Left out (${count(total)})`}>
      <ScrollRegion label="Left out, scrollable" className={classes.leftOut}>
        <ul className={classes.list}>
          {groups.map(({ what, reason, files, count: several }) => (
            <li key={JSON.stringify([what, reason, several])}>
              <span>
                {files.map((file) => (
                  <span key={file} className={classes.file}>
                    {file}
                  </span>
                ))}
              </span>
              <span className={classes.muted}>
                {reason}
                {several > 1 && ` (${counted(several, what === 'trial' ? 'run' : what)})`}
              </span>
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </Section>
  )
}
