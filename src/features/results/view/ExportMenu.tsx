import type { Experiment } from '#contract/experiments.ts'
import { ClipButton } from '#src/clip/ClipButton.tsx'
import { currentPath } from '#src/clip/clip-requests.ts'
import { shorten } from '#src/clip/clip-quote.ts'
import { CopyAs } from '#src/copy-as/CopyAs.tsx'
import type { ChartScope, ChartPart } from '#src/copy-as/sql-parts.ts'
import { shownVariants } from './copy-results.ts'
import { resultFacts } from './result-facts.ts'

/** What a view says of itself when it is quoted or copied. */
export type ExportedView = {
  title: string
  quote: () => string
  curl: () => string
  sql: () => string
  /** Where the view shows no more of what its parameters let through. */
  part?: ChartPart
  /** A sentence or two that people can copy as text. */
  isText?: boolean
  /** The page's own choice where the URL has none, so that a link names what was shown. */
  pinned?: Record<string, string>
}

type Props = { experiment: Experiment; scope: ChartScope; shown: ExportedView }

export function ExportMenu({ experiment, scope, shown }: Props) {
  const { title, quote, curl, sql, part = {}, isText, pinned = {} } = shown
  const pin = (address: string) => {
    const url = new URL(address, window.location.origin)
    for (const [name, value] of Object.entries(pinned)) url.searchParams.set(name, value)
    return url
  }
  return (
    <>
      <ClipButton
        clip={() => ({
          path: pathOf(pin(currentPath())),
          title: `${experiment.name}: ${title}`,
          quote: shorten(quote()),
          facts: resultFacts(experiment, scope),
        })}
      />
      <CopyAs
        link={() => pin(window.location.href).href}
        {...(isText && { text: quote })}
        curl={curl}
        sql={sql}
        selector={() => shownVariants(experiment.id, scope, part)}
      />
    </>
  )
}

const pathOf = ({ pathname, search, hash }: URL) => pathname + search + hash
