import { useClipboard } from '@mantine/hooks'
import { use } from 'react'
import { Link, useSearchParams } from 'react-router'

import { changeQuery } from '#src/url/use-query-state.ts'
import { TurnParameter } from './turn-parameter.ts'
import classes from './TurnView.module.css'

/** Links to this turn and copies its URL. */
export function TurnLink({ seq }: { seq: number }) {
  const [search] = useSearchParams()
  const parameter = use(TurnParameter)
  const clipboard = useClipboard({ timeout: 1500 })
  const to = `?${changeQuery(search, { [parameter]: String(seq) })}`
  return (
    <Link
      to={to}
      replace
      preventScrollReset
      className={classes.link}
      aria-label={`Link to turn ${seq}`}
      title="Copy link to this turn"
      onClick={() => clipboard.copy(new URL(to, window.location.href).href)}
    >
      {clipboard.copied ? 'copied' : `#${seq}`}
    </Link>
  )
}
