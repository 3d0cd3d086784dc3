import { paths } from '#src/paths.ts'

type Failure = { id: string; testName: string | null; turn: number | null }

/** The run page at a failure: at its failed test, at the turn of its tool call, or at the start. */
export function failureHref({ id, testName, turn }: Failure) {
  if (testName !== null) return paths.test(id, testName)
  return turn === null ? paths.run(id) : paths.run(id, { pane: 'transcript', turn })
}
