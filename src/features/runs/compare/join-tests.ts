import type { CapturedTest } from '#contract/tests.ts'

/** A test of either run; null for a run without a test of that name. */
export type TestPair = { testName: string; left: CapturedTest | null; right: CapturedTest | null; differs: boolean }

/** Joins tests by name: different outcomes first, then in the order the tests ran. */
export function joinTests(left: readonly CapturedTest[], right: readonly CapturedTest[]): TestPair[] {
  const [lefts, rights] = [byName(left), byName(right)]
  const pairs = [...new Set([...lefts.keys(), ...rights.keys()])].map((testName) => {
    const [a, b] = [lefts.get(testName) ?? null, rights.get(testName) ?? null]
    return { testName, left: a, right: b, differs: a?.outcome !== b?.outcome }
  })
  return pairs.toSorted((a, b) => Number(b.differs) - Number(a.differs))
}

const byName = (tests: readonly CapturedTest[]) => new Map(tests.map((test) => [test.testName, test]))
