import { countLeftOut, describeLeftOut, type LeftOutRuns } from '#contract/infrastructure.ts'
import { count } from '#src/format/numbers.ts'
import { TextLink } from './TextLink.tsx'

type Props = {
  leftOut: LeftOutRuns
  /** The list of these runs. */
  href: string
  /** Only the number, where there is no room for the causes. They are in the tooltip then. */
  isShort?: boolean
  className?: string | undefined
}

const why = 'Infrastructure ended these runs or their agent never started, so results leave them out'

/** Says how many runs are left out and why, with a link to them. Nothing if there are none. */
export function LeftOutLink({ leftOut, href, isShort = false, className }: Props) {
  const text = describeLeftOut(leftOut)
  if (text === null) return null
  return (
    <TextLink href={href} className={className}>
      <span title={isShort ? `${text}. ${why}` : why}>
        {isShort ? `${count(countLeftOut(leftOut))} left out` : text}
      </span>
    </TextLink>
  )
}
