import { autocompletion, type Completion, type CompletionContext } from '@codemirror/autocomplete'
import { SQLDialect, sql } from '@codemirror/lang-sql'
import { HighlightStyle, syntaxHighlighting, syntaxTree } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import { type EditorState } from '@codemirror/state'
import { type EditorView, hoverTooltip } from '@codemirror/view'
import { tags } from '@lezer/highlight'

import { analyticsFunctions } from '#contract/sql-functions.ts'
import { type AnalyticsColumn, analyticsTables } from '#contract/sql-tables.ts'
import { placeInSql } from './sql-names.ts'

/** An error from the server, with line and column counted from 1 if known. */
export type SqlProblem = { line?: number | undefined; column?: number | undefined; message: string }

const keywords =
  'select from where prewhere group by order having limit offset with as distinct join left right inner full cross any all array using on and or not in like ilike between is null case when then else end union except intersect over partition window rows range desc asc nulls first last interval true false qualify totals rollup cube'

const clickHouse = SQLDialect.define({
  keywords,
  types:
    'uint8 uint16 uint32 uint64 int8 int16 int32 int64 float32 float64 string uuid date datetime datetime64 bool nullable array map tuple lowcardinality decimal',
  builtin: '',
  backslashEscapes: true,
  hashComments: true,
  identifierQuotes: '`"',
})

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent-text)', fontWeight: '500' },
  { tag: [tags.typeName, tags.number, tags.bool, tags.null], color: 'var(--text)' },
  { tag: tags.operator, color: 'var(--text-muted)' },
])

/** SQL that knows the analytics tables: completion, help on hover, and the server's `problems` underlined. */
export const sqlSupport = (problems: readonly SqlProblem[]) => [
  sql({ dialect: clickHouse, upperCaseKeywords: true }),
  syntaxHighlighting(colours),
  autocompletion({ override: [complete], icons: false }),
  hoverTooltip(explain),
  linter(({ state }) => problems.map((problem) => toDiagnostic(state, problem)), { delay: 0 }),
]

/** Keywords come last, because names are what people need to look up. */
const words: readonly Completion[] = keywords.split(' ').map((word) => ({ label: word.toUpperCase(), boost: -50 }))

const tables: readonly Completion[] = analyticsTables.map(({ name, says }) => ({
  label: name,
  detail: 'table',
  info: says,
}))

const functions: readonly Completion[] = analyticsFunctions.map(({ name, example, says }) => ({
  label: name,
  detail: example.slice(name.length),
  info: says,
  apply: `${name}(`,
  boost: -20,
}))

const toCompletion = ({ name, type, says }: AnalyticsColumn): Completion => ({
  label: name,
  detail: plainType(type),
  info: says,
})

const plainType = (type: string) => (type.startsWith('Enum8') ? 'Enum8' : type.replace(/LowCardinality\((.*)\)$/, '$1'))

function complete({ state, pos, explicit }: CompletionContext) {
  if (/String|Comment/.test(syntaxTree(state).resolveInner(pos, -1).name)) return null
  const place = placeInSql(state.doc.toString(), pos)
  if (place.kind === 'table') return { from: place.from, options: tables, validFor: /^\w*$/ }
  if (!explicit && place.from === pos && !place.isQualified) return null
  const columns = place.columns.map(toCompletion)
  const options = place.isQualified ? columns : [...columns, ...functions, ...tables, ...words]
  return { from: place.from, options, validFor: /^\w*$/ }
}

function explain(view: EditorView, position: number) {
  const word = view.state.wordAt(position)
  if (!word) return null
  const { columns } = known(view.state, word.to)
  const name = view.state.sliceDoc(word.from, word.to)
  const column = columns.find((column) => column.name === name)
  const table = analyticsTables.find((table) => table.name === name)
  const help = column ?? (table && { ...table, type: 'table' })
  if (!help) return null
  const create = () => ({ dom: helpElement(help.name, plainType(help.type), help.says) })
  return { pos: word.from, end: word.to, above: true, create }
}

function known(state: EditorState, position: number) {
  const place = placeInSql(state.doc.toString(), position)
  return place.kind === 'column' ? place : { columns: [] }
}

function helpElement(name: string, type: string, says: string) {
  const element = document.createElement('div')
  element.className = 'cm-field-help'
  const title = document.createElement('b')
  title.textContent = name
  element.append(title, ` ${type}`, document.createElement('br'), says)
  return element
}

/** Marks the error up to the end of its word, or the whole statement if the position is unknown. */
function toDiagnostic({ doc }: EditorState, problem: SqlProblem): Diagnostic {
  const { message } = problem
  const from = positionOf(doc, problem)
  if (from === null) return { from: 0, to: doc.length, severity: 'error', message }
  const word = /^[\w.]+|^\S/.exec(doc.sliceString(from, from + 100))?.[0].length ?? 1
  const start = from >= doc.length ? Math.max(0, doc.length - 1) : from
  return { from: start, to: Math.min(from + word, doc.length), severity: 'error', message }
}

/** The server counts characters; the editor counts UTF-16 units. */
export function positionOf(doc: EditorState['doc'], { line, column = 1 }: SqlProblem): number | null {
  if (line === undefined || line < 1 || line > doc.lines) return null
  const { from, text } = doc.line(line)
  return from + [...text].slice(0, column - 1).join('').length
}
