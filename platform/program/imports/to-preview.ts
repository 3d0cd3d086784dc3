import type { ImportPreview } from '#contract/imports.ts'
import type { LeftOut } from '#platform/program/import-formats/reading/left-out.ts'
import type { SurveySummary } from '#platform/program/imports/results/survey-runs.ts'
import { nameSources } from '#platform/program/imports/results/to-definition.ts'

const limits = { leftOut: 500, reason: 500, file: 300, idCharacters: 60 }

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…`.toWellFormed() : text)

/** What was left out. */
export function toLeftOut(leftOut: readonly LeftOut[]): ImportPreview['leftOut'] {
  const shown = leftOut.slice(0, limits.leftOut).map(({ what, file, reason, count }) => ({
    what,
    file: cut(file, limits.file),
    reason: cut(reason, limits.reason),
    ...(count !== undefined && { count }),
  }))
  const rest = leftOut.slice(limits.leftOut).reduce((sum, { count = 1 }) => sum + count, 0)
  return rest === 0 ? shown : [...shown, { file: 'and more', reason: 'not listed one by one', count: rest }]
}

/** The paths that were dropped, and whether an experiment may have an id. */
export type Naming = { paths: readonly string[]; isFree: (id: string) => Promise<boolean> }

/** What the import of results will make. */
export async function toPreview(
  { formats, runs, solved, agents, models, prompts, totals, problem, tables, exported, leftOut }: SurveySummary,
  names: Naming,
): Promise<ImportPreview> {
  return {
    formats,
    runs,
    agents,
    models,
    prompts,
    solved,
    ...totals,
    ...(problem !== null && { problem }),
    leftOut: toLeftOut(leftOut),
    tables,
    ...(exported
      ? { experimentName: exported.name, experimentId: await freeId(exported.experimentId, names.isFree) }
      : await nameForNew(`${nameSources(formats.map(({ title }) => title))} results`, names)),
  }
}

/** The name of a new experiment: that of what was dropped, or else `name`. Its id is free. */
export async function nameForNew(name: string, { paths, isFree }: Naming) {
  const experimentName = nameOfDropped(paths) ?? name
  return { experimentName, experimentId: await freeId(experimentName, isFree) }
}

/** The one folder or file that was dropped. */
function nameOfDropped(paths: readonly string[]) {
  const [first = '', ...more] = new Set(paths.map((path) => path.split('/')[0] ?? ''))
  const name = first.replace(/(\.(tar|zip|tgz|gz|zst|csv|tsv|jsonl?|parquet|eval|xml|ya?ml))+$/i, '').trim()
  return more.length > 0 || name === '' ? null : cut(name, 100)
}

async function freeId(name: string, isFree: (id: string) => Promise<boolean>) {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  const id = words.join('-').slice(0, limits.idCharacters).replace(/-$/, '') || 'imported-results'
  for (let number = 1; number < 100; number += 1) {
    const candidate = number === 1 ? id : `${id}-${number}`
    if (await isFree(candidate)) return candidate
  }
  return id
}
