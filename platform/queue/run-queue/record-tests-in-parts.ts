import { commitTogether } from '#platform/ground/database/commit-together.ts'
import { type Database, isEmbedded } from '#platform/ground/database/open-database.ts'
import { maxParts } from '#platform/ground/database/unfinished-groups.ts'
import { batchesOf, charactersOf, insertTests, rowsOf, type TestCapture, type TestRow } from './record-tests.ts'
import type { RunEnding } from './run-ending.ts'

/** One transaction of so many tests holds up nobody. */
const atOnce = { rows: 1000, characters: 1024 * 1024 }

/** The runs of a database whose tests are being prepared. */
const unfinished = new WeakMap<Database, Set<string>>()

/**
 * The runs whose tests are being prepared. They must stay with their worker: what is prepared takes the places of their tests, and
 * an insert of the same test would wait for it forever.
 */
export const runsInParts = (db: Database): readonly string[] => [...(unfinished.get(db) ?? [])]

/** Whether one transaction of the tests would hold up others. An attempt that may be followed by another one records no tests. */
export const hasManyTests = (db: Database, { tests, infrastructure }: Pick<RunEnding, 'tests' | 'infrastructure'>) =>
  isEmbedded(db) &&
  infrastructure?.isTransient !== true &&
  (tests.length > atOnce.rows || countCharacters(tests) > atOnce.characters)

/**
 * Inserts the tests of a run in short transactions, which become visible together with what `end` does, or never: see `commitTogether`. One run
 * at a time.
 */
export async function recordTestsInParts(
  db: Database,
  { runId, tests }: { runId: string; tests: RunEnding['tests'] },
  end: (tx: Database) => Promise<boolean>,
) {
  const rows = rowsOf({ runId, tests })
  const running = unfinished.get(db) ?? new Set()
  unfinished.set(db, running.add(runId))
  try {
    await commitTogether(db, {
      parts: partsOf(rows).map((part) => (tx) => insertTests(tx, part)),
      end,
    })
  } finally {
    running.delete(runId)
  }
}

/** A part that reaches neither limit is the last one, so there are at most `maxParts`. */
function partsOf(rows: readonly TestRow[]): TestRow[][] {
  const share = (total: number) => Math.ceil(total / (maxParts / 2 - 1))
  const limit = {
    rows: Math.max(atOnce.rows, share(rows.length)),
    characters: Math.max(atOnce.characters, share(countCharacters(rows))),
  }
  return [...batchesOf(rows, limit)]
}

const countCharacters = (tests: readonly TestCapture[]) => tests.reduce((sum, test) => sum + charactersOf(test), 0)
