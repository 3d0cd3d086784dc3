import { cpus, totalmem } from 'node:os'

import { describeTarget, isReached, type Measurement, rounded } from './result.ts'

/** What one benchmark measured, and how busy the machine was before it: a load near 0 is a quiet machine. */
export type Recorded = { name: string; load: number; measurements: readonly Measurement[] }

const intro = `# Results of the benchmarks

\`npm run bench -- --record\` writes this file. If you name benchmarks, it replaces only their sections. Compare times only on the same machine.
Ratios can be compared: they divide our time by that of the least work that gives the same result, or of a smaller case, in the same run.
`

/** What a reader of a section must know besides its numbers. */
const notes: Readonly<Record<string, string>> = {
  'event-loop': `The embedded database runs on the thread of the service and does one statement at a time, and nobody has a turn within a statement. So three things
cannot be made shorter there. A vacuum of a table is one statement, which PostgreSQL can neither divide nor continue later, and it clears all indexes of the
table: those of the runs number dozens. It comes within ten minutes after many rows changed, and an export or a removal of runs beside it waits for it. The
statistics of a table are one statement too. So is the checkpoint at the start of a backup and at its end. A PostgreSQL server (\`DATABASE_URL\`) does all three in
processes of its own.`,
}

/**
 * The text of the results with these recorded and all other sections of `earlier` kept, in the order of `names`. Sections
 * of benchmarks that no longer exist are dropped.
 */
export function recordResults(earlier: string, recorded: readonly Recorded[], names: readonly string[], on: string) {
  const sections = new Map(
    earlier
      .split(/^(?=## )/m)
      .slice(1)
      .map((section) => [/^## (\S+)/.exec(section)?.[1] ?? '', section.trim()]),
  )
  for (const each of recorded) sections.set(each.name, toSection(each, on))
  const kept = names.flatMap((name) => sections.get(name) ?? [])
  return `${[intro.trim(), ...kept].join('\n\n')}\n`
}

function toSection({ name, load, measurements }: Recorded, on: string) {
  const rows = measurements.map(({ what, unit, ours, floor, target }) => [
    what.replaceAll('|', '\\|'),
    `${rounded(ours)} ${unit}`,
    floor === undefined ? '' : `${rounded(floor)} ${unit}`,
    floor === undefined ? '' : `${rounded(ours / floor, 2)} ×`,
    target ? `${describeTarget(target, unit)}${isReached({ ours, floor, target }) ? '' : ' **(missed)**'}` : '',
  ])
  const lines = [['What', 'Ours', 'Beside', 'Ratio', 'Target'], ['---', '---:', '---:', '---:', '---'], ...rows]
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  return `## ${name}\n\nMeasured ${on} on ${describeMachine()}; load before: ${rounded(load)}.\n\n${table}${notes[name] ? `\n\n${notes[name]}` : ''}`
}

function describeMachine() {
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores, ${gib} GiB, Node ${process.version.slice(1)}`
}
