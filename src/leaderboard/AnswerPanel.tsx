import type { Answer } from './answer.ts'
import classes from './AnswerPanel.module.css'

/** The answer of a leaderboard: the verdict, then what the reader asks next. */
export function AnswerPanel({ answer: { verdict, facts } }: { answer: Answer }) {
  return (
    <section aria-label="Answer" className={classes.answer}>
      <p className={classes.verdict}>{verdict}</p>
      {facts.length > 0 && (
        <dl className={classes.facts}>
          {facts.map(({ label, value, detail }) => (
            <div key={label}>
              <dt>{label.endsWith('?') ? label : `${label}:`}</dt>{' '}
              <dd>
                <b>{value}</b>
                {detail && <small>{` ${detail}`}</small>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
