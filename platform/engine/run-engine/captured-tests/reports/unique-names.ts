import { caseName } from './case-name.ts'
import { severity } from './outcome-words.ts'
import type { ReportCase } from './report-case.ts'

const maxNameCharacters = 500
/** The minimum length of a case name, even if the test's own name is very long. */
const shortestCaseName = 50

/**
 * Returns the name `<test>/<group>/<case>` for each case, from what the report says about this case alone. Names must be
 * unique, because they address tests. Cases of one name are distinguished by their places; cases that the report does not
 * distinguish are numbered from the worst outcome to the best, so that their order never turns a pass into a failure. Long
 * names are shortened in the middle.
 */
export function uniqueNames(testName: string, cases: readonly ReportCase[]) {
  const length = Math.max(shortestCaseName, maxNameCharacters - testName.length - 1)
  const plain = cases.map((entry) => cutMiddle(caseName(entry), length))
  const placed = distinguish(plain, cases, length)
  const ranked = [...placed.keys()].sort((a, b) => severityAt(cases, a) - severityAt(cases, b))
  const taken = new Set(placed)
  const used = new Set<string>()
  const counts = new Map<string, number>()
  const names = [...placed]
  for (const index of ranked) {
    const name = placed[index] ?? ''
    if (used.has(name)) names[index] = nextNumber(name, { counts, taken, length })
    used.add(name)
  }
  return names.map((name) => (name === '' ? testName : `${testName}/${name}`))
}

const severityAt = (cases: readonly ReportCase[], index: number) => severity(cases[index]?.outcome ?? 'passed')

/** Adds the places of cases whose names are equal and whose places are not. */
function distinguish(names: readonly string[], cases: readonly ReportCase[], length: number) {
  const placesOfName = new Map<string, Set<string>>()
  for (const [index, name] of names.entries()) {
    const places = placesOfName.get(name) ?? new Set<string>()
    placesOfName.set(name, places.add(cases[index]?.place ?? ''))
  }
  return names.map((name, index) => {
    const place = cases[index]?.place ?? ''
    const isShared = (placesOfName.get(name)?.size ?? 0) > 1
    return isShared && place !== '' ? cutMiddle(`${name} (${place})`, length) : name
  })
}

type Numbering = { counts: Map<string, number>; taken: Set<string>; length: number }

function nextNumber(name: string, { counts, taken, length }: Numbering) {
  let count = counts.get(name) ?? 1
  let unique: string
  do {
    count += 1
    unique = numbered(name, count, length)
  } while (taken.has(unique))
  counts.set(name, count)
  taken.add(unique)
  return unique
}

function numbered(name: string, count: number, length: number) {
  const suffix = ` #${count}`
  return `${cutMiddle(name, length - suffix.length)}${suffix}`
}

/** Keeps the end of a name, because it often contains parameters. */
export function cutMiddle(name: string, length: number) {
  if (name.length <= length) return name
  const head = Math.ceil((length - 1) / 2)
  return `${name.slice(0, head)}…${name.slice(head + 1 - length)}`.toWellFormed()
}
