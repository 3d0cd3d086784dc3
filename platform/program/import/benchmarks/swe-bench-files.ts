import { basename, dirname } from 'node:path'

import type { FoundTest } from '#platform/program/import/reading/found-run.ts'
import { field, has, isRecord, toList, toName, toRecord, toWords } from '#platform/program/import/reading/fields.ts'
import { readRecords } from '#platform/program/import/reading/read-records.ts'
import type { ResultFile } from '#platform/program/import/reading/result-files.ts'
import type { Reading } from '#platform/program/import/reading/result-format.ts'

export const isPrediction = (value: unknown) => has(value, 'instance_id', 'model_patch')
const isOfInstance = (value: unknown) =>
  has(value, 'resolved') && (has(value, 'patch_exists') || has(value, 'tests_status'))
export const isReport = (document: unknown) =>
  Array.isArray(field(document, 'resolved_ids')) ||
  (Array.isArray(field(document, 'resolved')) &&
    ['generated', 'no_generation', 'applied'].some((name) => has(document, name)))
export const areOfInstances = (document: unknown) =>
  isRecord(document) && Object.values(document).length > 0 && Object.values(document).every(isOfInstance)
export const arePredictions = (document: unknown) =>
  isRecord(document) &&
  Object.values(document).length > 0 &&
  Object.values(document).every((each) => has(each, 'model_patch'))

/** What is known of one model's attempt at one instance. */
type Attempt = { file: string; solved?: boolean | null; reason?: string; tests?: FoundTest[]; patch?: string }

/** Model → instance → what is known of it. */
export type Models = Map<string, Map<string, Attempt>>

export async function readModels(reading: Pick<Reading, 'files' | 'leaveOut'>): Promise<Models> {
  const models: Models = new Map()
  const know = (model: string, instance: string, more: Attempt) => {
    const attempts = models.get(model) ?? new Map<string, Attempt>()
    models.set(model, attempts)
    attempts.set(instance, { ...attempts.get(instance), ...more })
  }
  const reports: { file: ResultFile; document: Record<string, unknown> }[] = []
  for (const { file, look } of reading.files) {
    const seen = await look()
    const document = seen.kind === 'json' ? toRecord(seen.document) : {}
    if (isReport(document) || areOfInstances(document)) reports.push({ file, document })
    else if (arePredictions(document))
      for (const [id, prediction] of Object.entries(document))
        addPrediction({ instance_id: id, ...toRecord(prediction) }, file)
    else for await (const prediction of readRecords(file, seen, reading.leaveOut)) addPrediction(prediction, file)
  }
  function addPrediction(prediction: Record<string, unknown>, file: ResultFile) {
    const patch = toWords(prediction.model_patch)
    const instance = toName(prediction.instance_id)
    const model = toName(prediction.model_name_or_path) ?? basename(dirname(file.path))
    if (instance !== null) know(model, instance, { file: file.path, patch })
  }
  for (const { file, document } of reports) {
    const model = modelOfReport(file, document, [...models.keys()])
    for (const [instance, attempt] of attemptsOf(document)) know(model, instance, { ...attempt, file: file.path })
  }
  return models
}

/** A report does not say whose it is. Its file or folder has the name of the model, as the predictions spell it. */
function modelOfReport(file: ResultFile, document: Record<string, unknown>, known: readonly string[]) {
  const parts = file.path.split('/')
  const [only] = known
  if (known.length === 1 && only !== undefined) return only
  const spelled = known.find((model) =>
    parts.some((part) => part === model.replaceAll('/', '__') || part.startsWith(`${model.replaceAll('/', '__')}.`)),
  )
  if (spelled !== undefined) return spelled
  if (areOfInstances(document))
    return (
      parts.at(Object.keys(document).length === 1 && parts.at(-2) === Object.keys(document)[0] ? -3 : -2) ?? 'unknown'
    )
  const name = basename(file.path).replace(/\.json$/i, '')
  return /^(results?|report)$/i.test(name)
    ? parts.at(-3) === undefined || parts.at(-2) !== 'results'
      ? (parts.at(-2) ?? name)
      : (parts.at(-3) ?? name)
    : name.replace(/\.[^.]*$/, '')
}

const maxTestNames = 2000

function attemptsOf(document: Record<string, unknown>): Map<string, Omit<Attempt, 'file'>> {
  const attempts = new Map<string, Omit<Attempt, 'file'>>()
  if (!isReport(document)) {
    for (const [id, each] of Object.entries(document)) {
      const tests = Object.entries(toRecord(field(each, 'tests_status'))).flatMap(([kind, ofKind]) => [
        ...toList(field(ofKind, 'success')).map((name): FoundTest => ({
          name: `${kind} ${toWords(name)}`,
          outcome: 'passed',
        })),
        ...toList(field(ofKind, 'failure')).map((name): FoundTest => ({
          name: `${kind} ${toWords(name)}`,
          outcome: 'failed',
        })),
      ])
      attempts.set(id, { solved: field(each, 'resolved') === true, tests: tests.slice(0, maxTestNames) })
    }
    return attempts
  }
  const set = (names: unknown, attempt: Omit<Attempt, 'file'>) => {
    for (const name of toList(names)) if (typeof name === 'string') attempts.set(name, attempt)
  }
  set(document.submitted_ids ?? document.generated, { solved: false })
  set(document.unresolved_ids, { solved: false })
  set(document.empty_patch_ids ?? document.no_generation, { solved: false, reason: 'The patch is empty' })
  set(document.error_ids, { solved: false, reason: 'The evaluation had an error' })
  set(document.resolved_ids ?? document.resolved, { solved: true })
  return attempts
}
