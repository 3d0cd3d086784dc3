import { VisuallyHidden } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'

import type { Call, Step } from '#contract/tool-calls/align-calls.ts'
import { changeQuery } from '#src/url/use-query-state.ts'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './ComparedCalls.module.css'

const marks = {
  same: ['=', 'same call'],
  alike: ['≠', 'same tool, other arguments'],
  left: ['‹', 'only left'],
  right: ['›', 'only right'],
} as const

/** One step of two runs. A call links to its turn of the transcript below. */
export function StepRow({ step: { kind, left, right }, isParting }: { step: Step; isParting: boolean }) {
  const [mark, words] = marks[kind]
  return (
    <tr data-kind={kind} data-parting={isParting || undefined}>
      <td>{left && <CallLink side="left" call={left} />}</td>
      <td className={mutedText.plain} title={words}>
        <span aria-hidden>{mark}</span>
        <VisuallyHidden>{words}</VisuallyHidden>
      </td>
      <td>{right && <CallLink side="right" call={right} />}</td>
    </tr>
  )
}

function CallLink({ side, call }: { side: 'left' | 'right'; call: Call }) {
  const [search] = useSearchParams()
  return (
    <Link
      to={`?${changeQuery(search, { [`${side}Turn`]: String(call.seq) })}`}
      replace
      preventScrollReset
      className={classes.call}
    >
      {call.summary}
    </Link>
  )
}
