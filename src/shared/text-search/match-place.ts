import type { OutputMatch } from '#contract/output-matches.ts'
import { paths } from '#src/paths.ts'

/** The page of a match: its turn, its test or its run. */
export function matchHref({ id, turn, kind, testName }: OutputMatch) {
  if (turn !== null) return paths.run(id, { pane: 'transcript', turn, reasoning: kind === 'reasoning' && 1 })
  return testName === null ? paths.run(id) : paths.test(id, testName)
}

/** `Turn 3 · tool · bash`, `parses MCMXC · stderr`, `Run error`. */
export function matchPlace({ source, turn, role, tool, testName, stream }: OutputMatch) {
  if (source === 'endings') return stream === 'stderr' ? 'Agent stderr' : 'Run error'
  return turn === null
    ? `${testName ?? ''} · ${stream ?? ''}`
    : [`Turn ${turn}`, role, tool].filter(Boolean).join(' · ')
}
