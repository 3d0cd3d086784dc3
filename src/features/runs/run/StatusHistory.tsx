import type { StatusChange } from '#contract/runs.ts'
import { exactTime } from '#src/format/dates.ts'
import { seconds } from '#src/format/durations.ts'
import { runStatusMarks } from '#src/ui/status-marks.ts'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './StatusHistory.module.css'

/** Every status of the run with its duration. A lost worker appears as a second attempt. */
export function StatusHistory({ history }: { history: readonly StatusChange[] }) {
  return (
    <ol className={classes.history}>
      {history.map(({ status, at, reason, attempt }, index) => {
        const until = history[index + 1]?.at
        const { glyph, label, tone } = runStatusMarks[status]
        return (
          <li key={`${at} ${status} ${attempt}`} title={[exactTime(at), reason].filter(Boolean).join(': ')}>
            <span className={classes.glyph} data-tone={tone} aria-hidden>
              {glyph}
            </span>{' '}
            {label}
            {attempt > 1 && ` (attempt ${attempt})`}
            {until && (
              <span className={mutedText.plain}>
                {' '}
                {seconds(Math.max(0, Date.parse(until) - Date.parse(at)) / 1000)}
              </span>
            )}
          </li>
        )
      })}
    </ol>
  )
}
