import { useMediaQuery } from '@mantine/hooks'

import type { Answer } from './answer.ts'
import classes from './AnswerPanel.module.css'

/** The answer of a leaderboard: the verdict, then what the reader asks next, which a phone shows below the groups. */
export function AnswerPanel({ answer: { verdict, facts } }: { answer: Answer }) {
  const isNarrow = useIsNarrow()
  return (
    <section aria-label="Answer" className={classes.answer}>
      <p className={classes.verdict}>{verdict}</p>
      {!isNarrow && <Facts facts={facts} />}
    </section>
  )
}

/** The facts below the groups on a phone, where they would push the groups off the first screen. */
export function FactsBelow({ answer: { facts } }: { answer: Answer }) {
  const isNarrow = useIsNarrow()
  return isNarrow && <Facts facts={facts} />
}

const useIsNarrow = () => useMediaQuery('(width < 48em)', false, { getInitialValueInEffect: false })

const Facts = ({ facts }: Pick<Answer, 'facts'>) =>
  facts.length > 0 && (
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
  )
