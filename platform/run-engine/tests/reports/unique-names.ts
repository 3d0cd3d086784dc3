import type { ReportCase } from './report-case.ts'

const maxNameCharacters = 500
/** Of a case below a test whose own name is as long as that. */
const shortestCaseName = 50

/**
 * `<test>/<case>` for each case. A test is addressed by its name, so no two may share one: the group comes before, and a
 * number after where that is not enough. Long names lose their middle.
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

/** The end matters as much as the beginning: parameters stand there. */
function cutMiddle(name: string, length: number) {
  if (name.length <= length) return name
  const head = Math.ceil((length - 1) / 2)
  return `${name.slice(0, head)}…${name.slice(head + 1 - length)}`.toWellFormed()
}
