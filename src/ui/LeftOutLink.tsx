import { describeLeftOut, type LeftOutRuns } from '#contract/infrastructure.ts'
import { TextLink } from './TextLink.tsx'

type Props = {
  leftOut: LeftOutRuns
  /** The list of these runs. */
  href: string
}

/** Says how many runs infrastructure ended and why, with a link to them. Nothing if there are none. */
export function LeftOutLink({ leftOut, href }: Props) {
  const text = describeLeftOut(leftOut)
  return text === null ? null : (
    <TextLink href={href}>
      <span title="Infrastructure ended these runs, so results leave them out">{text}</span>
    </TextLink>
  )
}
