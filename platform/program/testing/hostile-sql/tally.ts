import { Failure } from '#platform/ground/failures/failure.ts'
import type { EntryPoint } from './entry-points.ts'

export type Tally = { tried: number; refused: number; scoped: number; leaked: number }

/** Runs one statement and searches its response, or its error, for forbidden text. */
export async function attempt(tally: Tally, forbidden: string[], sql: string, run: () => Promise<unknown>) {
  tally.tried += 1
  const [outcome, said] = await run().then(
    (response) => ['scoped', JSON.stringify(response)] as const,
    (error: unknown) => {
      if (error instanceof Failure) return ['refused', JSON.stringify([error.message, error.issues])] as const
      throw new Error(`${sql} ended in an unexpected error`, { cause: error })
    },
  )
  tally[outcome] += 1
  if (!forbidden.some((text) => said.includes(text))) return
  tally.leaked += 1
  console.error(`leaked by ${sql.slice(0, 500)}: ${said.slice(0, 1000)}`)
}

export const newTally = (): Tally => ({ tried: 0, refused: 0, scoped: 0, leaked: 0 })

export function printTallies(layer: string, tallies: Map<string, Tally>) {
  for (const [way, { tried, refused, scoped, leaked }] of tallies)
    console.log(
      `hostile SQL, ${layer}, ${way}: tried ${tried}, refused ${refused}, scoped ${scoped}, leaked: ${leaked}`,
    )
}

/**
 * Runs every statement through `each` of the entry points, by turns, so that every entry point gets the same share of them.
 * Returns a tally per entry point.
 */
export async function attemptAll(statements: readonly string[], ways: readonly EntryPoint[], each = ways.length) {
  const tallies = new Map(ways.map(({ name }) => [name, newTally()]))
  for (const [at, sql] of statements.entries()) {
    const turn = ways.filter((_, index) => (index + at) % ways.length < each)
    await Promise.all(
      turn.map(({ name, forbidden, ask }) => attempt(tallies.get(name) ?? newTally(), forbidden, sql, () => ask(sql))),
    )
  }
  return tallies
}
