import type { ReportCase } from './report-case.ts'

const maxNameCharacters = 500
/** The minimum length of a case name, even if the test's own name is very long. */
const shortestCaseName = 50

/**
 * Returns the name `<test>/<case>` for each case. Names must be unique, because they address tests: the group is added
 * first, then a number. Long names are shortened in the middle.
 */
export function uniqueNames(testName: string, cases: readonly ReportCase[]) {
  const uses = Map.groupBy(cases, (entry) => entry.name)
  const length = Math.max(shortestCaseName, maxNameCharacters - testName.length - 1)
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return cases.map(({ name, group }) => {
    const isShared = (uses.get(name)?.length ?? 0) > 1
    const full = cutMiddle(isShared && group !== '' ? `${group}/${name}` : name, length)
    let count = counts.get(full) ?? 0
    let unique: string
    do {
      count += 1
      unique = count === 1 ? full : numbered(full, count, length)
    } while (taken.has(unique))
    counts.set(full, count)
    taken.add(unique)
    return `${testName}/${unique}`
  })
}

function numbered(name: string, count: number, length: number) {
  const suffix = ` #${count}`
  return `${cutMiddle(name, length - suffix.length)}${suffix}`
}

/** Keeps the end of a name, because it often contains parameters. */
function cutMiddle(name: string, length: number) {
  if (name.length <= length) return name
  const head = Math.ceil((length - 1) / 2)
  return `${name.slice(0, head)}…${name.slice(head + 1 - length)}`.toWellFormed()
}
